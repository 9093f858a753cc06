"""The pages."""

from fastapi import APIRouter

from room.views import pages, signin

router = APIRouter(include_in_schema=False)
router.include_router(signin.router)
router.include_router(pages.router)

"""The shaders. Every vertex goes through the same lens as `calibration.camera.Camera.project`, distortion included:
triangles are small, so bending their corners is exact to a tenth of a pixel, and the picture needs no warping.
"""

from __future__ import annotations

from typing import Final

_LENS: Final = """
#version 330
uniform mat3 lens_rotation; uniform vec3 lens_position;
uniform vec4 lens_focal;    // fx fy cx cy
uniform vec4 lens_bend;     // k1 k2 p1 p2
uniform vec3 lens_more;     // k3 width height
const float NEAR = 150.0, FAR = 6000.0, R_MAX = 1.6;

vec4 through_lens(vec3 p) {
    vec3 c = lens_rotation * (p - lens_position);
    float w = max(c.z, 1.0);
    vec2 n = c.xy / w;
    float r = length(n);
    float shrink = min(1.0, R_MAX / max(r, 1e-9));
    vec2 q = n * shrink;
    float r2 = dot(q, q);
    float radial = 1.0 + r2 * (lens_bend.x + r2 * (lens_bend.y + r2 * lens_more.x));
    vec2 d = q * radial + vec2(2.0 * lens_bend.z * q.x * q.y + lens_bend.w * (r2 + 2.0 * q.x * q.x),
                               lens_bend.z * (r2 + 2.0 * q.y * q.y) + 2.0 * lens_bend.w * q.x * q.y);
    vec2 pixel = (d / shrink) * lens_focal.xy + lens_focal.zw;
    vec2 ndc = (pixel + 0.5) / lens_more.yz * 2.0 - 1.0;
    float depth = (FAR + NEAR) / (FAR - NEAR) - 2.0 * FAR * NEAR / ((FAR - NEAR) * w);
    return vec4(ndc.x * w, -ndc.y * w, depth * w, w);
}
"""

_LIGHT: Final = """
uniform sampler2DShadow shadows; uniform mat4 to_shadow;
uniform vec3 eye; uniform vec3 key; uniform vec3 fill; uniform vec3 tint;
uniform vec4 strengths;    // key, fill, ambient, pool
uniform float softness;

float lit(vec3 p, vec3 n) {
    vec4 s = to_shadow * vec4(p + n * 1.2, 1.0);
    vec3 c = s.xyz * 0.5 + 0.5;
    float sum = 0.0;
    for (int i = -1; i <= 1; i++) for (int j = -1; j <= 1; j++)
        sum += texture(shadows, vec3(c.xy + vec2(i, j) * softness, c.z - 0.0006));
    return sum / 9.0;
}

vec3 shade(vec3 albedo, vec3 p, vec3 n, float gloss) {
    vec3 v = normalize(eye - p);
    float shadow = lit(p, n);
    float pool = 1.0 - strengths.w * smoothstep(350.0, 1500.0, length(p.xy - vec2(0.0, 400.0)));
    float near_table = 0.72 + 0.28 * smoothstep(-4.0, 45.0, p.z + 40.0 * n.z);
    vec3 light = vec3(strengths.z * (0.72 + 0.28 * n.z) * near_table);
    light += strengths.x * max(dot(n, key), 0.0) * shadow;
    light += strengths.y * max(dot(n, fill), 0.0);
    vec3 h = normalize(v + key), g = normalize(v + fill);
    float sharp = mix(10.0, 90.0, gloss);
    float shine = gloss * (pow(max(dot(n, h), 0.0), sharp) * shadow * 0.55 + pow(max(dot(n, g), 0.0), sharp) * 0.2);
    return (albedo * light + shine) * pool * tint;
}

vec3 encode(vec3 c) { return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2)); }
vec3 decode(vec3 c) { return pow(c, vec3(2.2)); }
"""

_CLOTH_VERTEX: Final = """
in vec3 at; out vec3 p; out vec2 uv; uniform vec4 extent;   // x0 y0 width depth
void main() { p = at; uv = (at.xy - extent.xy) / extent.zw; gl_Position = through_lens(at); }
"""
_CLOTH_FRAGMENT: Final = """
in vec3 p; in vec2 uv; out vec4 colour; uniform sampler2D print; uniform float nap;
float hash(vec2 q) { return fract(sin(dot(q, vec2(127.1, 311.7))) * 43758.5453); }
void main() {
    vec3 c = decode(texture(print, uv).rgb);
    float n = hash(floor(p.xy * 1.7)) + hash(floor(p.xy * 0.6)) - 1.0;
    colour = vec4(encode(shade(c * (1.0 + nap * n), p, vec3(0, 0, 1), 0.0)), 1.0);
}
"""

_CARD_VERTEX: Final = """
in vec2 grid; in vec3 col0; in vec3 col1; in vec3 col2; in vec3 origin; in vec4 look; in float number;
out vec3 p; out vec3 n; out vec2 uv; out vec2 layers; out float wear; flat out float id;
void main() {
    float bend = look.x, along = grid.y * 2.0;
    vec3 local = vec3(grid.x * 63.0, grid.y * 88.0, bend * along * along);
    mat3 m = mat3(col0, col1, col2);
    p = m * local + origin;
    n = m * normalize(vec3(0.0, -4.0 * bend * along / 88.0, 1.0));
    uv = vec2(grid.x + 0.5, 0.5 - grid.y); layers = look.yz; wear = look.w; id = number;
    gl_Position = through_lens(p);
}
"""
_CARD_FRAGMENT: Final = """
in vec3 p; in vec3 n; in vec2 uv; in vec2 layers; in float wear; flat in float id; out vec4 colour;
uniform sampler2DArray art;
void main() {
    vec2 mm = abs(uv - 0.5) * vec2(63.0, 88.0) - (vec2(31.5, 44.0) - 3.4);
    if (mm.x > 0.0 && mm.y > 0.0 && length(mm) > 3.4) discard;
    vec3 normal = normalize(n); bool face = gl_FrontFacing;
    vec3 c = face ? texture(art, vec3(uv, layers.x)).rgb : texture(art, vec3(1.0 - uv.x, uv.y, layers.y)).rgb;
    if (dot(normal, eye - p) < 0.0) normal = -normal;
    c = decode(c) * (0.93 - wear * 0.10);
    colour = vec4(encode(shade(c, p, normal, 0.28)), 1.0);
}
"""

_CHIP_VERTEX: Final = """
in vec3 shape; in vec3 facing; in vec2 place; in vec3 col0; in vec3 col1; in vec3 col2; in vec3 origin; in vec4 look; in float number;
out vec3 p; out vec3 n; out vec2 uv; out float layer; out float side; flat out float id;
void main() {
    mat3 m = mat3(col0, col1, col2);
    p = m * shape + origin; n = m * facing; uv = place; layer = look.x; side = facing.z > 0.5 || facing.z < -0.5 ? 0.0 : 1.0;
    id = number; gl_Position = through_lens(p);
}
"""
_CHIP_FRAGMENT: Final = """
in vec3 p; in vec3 n; in vec2 uv; in float layer; in float side; flat in float id; out vec4 colour;
uniform sampler2DArray tops; uniform sampler2DArray sides;
void main() {
    vec3 c = side > 0.5 ? texture(sides, vec3(uv, layer)).rgb : texture(tops, vec3(uv, layer)).rgb;
    float seam = side > 0.5 ? smoothstep(0.0, 0.16, uv.y) * smoothstep(0.0, 0.16, 1.0 - uv.y) : 1.0;
    colour = vec4(encode(shade(decode(c) * (0.45 + 0.55 * seam), p, normalize(n), 0.18)), 1.0);
}
"""

_PLAIN_VERTEX: Final = """
in vec3 at; in vec3 facing; in vec3 paint; in float gloss; in float number;
out vec3 p; out vec3 n; out vec3 c; out float shine; flat out float id;
void main() { p = at; n = facing; c = paint; shine = gloss; id = number; gl_Position = through_lens(at); }
"""
_PLAIN_FRAGMENT: Final = """
in vec3 p; in vec3 n; in vec3 c; in float shine; flat in float id; out vec4 colour;
void main() {
    vec3 glow = max(c - 1.0, 0.0);
    colour = vec4(encode(shade(decode(min(c, 1.0)), p, normalize(n), shine) + glow), 1.0);
}
"""

_ID_FRAGMENT: Final = """
flat in float id; out int name; void main() { name = int(id + 0.5); }
"""
_ID_CARD_FRAGMENT: Final = """
in vec2 uv; flat in float id; out int name;
void main() {
    vec2 mm = abs(uv - 0.5) * vec2(63.0, 88.0) - (vec2(31.5, 44.0) - 3.4);
    if (mm.x > 0.0 && mm.y > 0.0 && length(mm) > 3.4) discard;
    name = int(id + 0.5);
}
"""
_NO_ID_FRAGMENT: Final = "out int name; void main() { name = 0; }"


def _shadowed(vertex: str) -> str:
    """The same vertex shader as the lamp sees it."""
    head = "#version 330\nuniform mat4 to_shadow;\nvec4 through_lens(vec3 p) { return to_shadow * vec4(p, 1.0); }\n"
    return head + vertex


SHADOW_FRAGMENT: Final = "#version 330\nvoid main() {}"
VERTEX: Final = {"cloth": _CLOTH_VERTEX, "card": _CARD_VERTEX, "chip": _CHIP_VERTEX, "plain": _PLAIN_VERTEX}
_FRAGMENT: Final = {
    "cloth": _CLOTH_FRAGMENT, "card": _CARD_FRAGMENT, "chip": _CHIP_FRAGMENT, "plain": _PLAIN_FRAGMENT,
}  # fmt: skip
_IDS: Final = {
    "cloth": _NO_ID_FRAGMENT, "card": _ID_CARD_FRAGMENT, "chip": _ID_FRAGMENT, "plain": _ID_FRAGMENT,
}  # fmt: skip


def sources(kind: str, purpose: str) -> tuple[str, str]:
    """Return vertex and fragment source for a kind of surface, for `picture`, `ids` or `shadow`."""
    if purpose == "shadow":
        return _shadowed(VERTEX[kind]), SHADOW_FRAGMENT
    fragment = _FRAGMENT[kind] if purpose == "picture" else _IDS[kind]
    light = _LIGHT if purpose == "picture" else ""
    return _LENS + VERTEX[kind], "#version 330\n" + light + fragment

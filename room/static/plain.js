// A page without behaviour of its own still gets alerts.
import { watch } from "./core.js";

watch({});

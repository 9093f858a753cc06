"""The GLSL programs, one for each material so that none pays for another's work.

Everything is in table millimetres. The vertex stage projects with the camera's own lens model (distortion
included), so edges fall on the pixels where `calibration.camera` puts them; meshes are fine enough that
straight edges between vertices stay within a hundredth of a pixel. Row 0 of the picture is row 0 of the buffer.

Light: one key lamp and one wide overhead panel. Each has a map over the table plane that holds, for every ray
towards the lamp, the mean and mean square height of what stands in it (blurred on the CPU): one fetch gives a
soft shadow. The panel's shadow also serves as ambient occlusion. On the cloth both are one map that the CPU makes.
Gamma is 2 (a square root) throughout.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = "#version 330\n"

SHOOT: Final = """
uniform mat3 cam_rot; uniform vec3 cam_pos; uniform vec4 cam_f; uniform vec4 cam_k; uniform float cam_k3;
uniform vec2 cam_size; uniform vec2 jitter;
vec4 shoot(vec3 p) {
    vec3 c = cam_rot * (p - cam_pos);
    float w = c.z;
    vec2 n = c.xy / max(w, 60.0);
    float r = length(n);
    float s = min(1.0, 1.6 / max(r, 1e-9));
    vec2 q = n * s;
    float r2 = dot(q, q);
    float radial = 1.0 + r2 * (cam_k.x + r2 * (cam_k.y + r2 * cam_k3));
    vec2 d = q * radial + vec2(2.0 * cam_k.z * q.x * q.y + cam_k.w * (r2 + 2.0 * q.x * q.x),
                               cam_k.z * (r2 + 2.0 * q.y * q.y) + 2.0 * cam_k.w * q.x * q.y);
    d = d / s - n;
    vec2 px = cam_f.xy * (c.xy + d * w) + (cam_f.zw + 0.5 + jitter) * w;
    vec2 ndc = px / cam_size * 2.0 - w;
    float near = 60.0, far = 12000.0;
    return vec4(ndc, (far + near) / (far - near) * w - 2.0 * far * near / (far - near), w);
}
"""

TOP: Final = """
uniform vec2 shear; uniform vec4 region;
vec4 shoot(vec3 p) {
    vec2 uv = (p.xy - p.z * shear - region.xy) * region.zw;
    return vec4(uv * 2.0 - 1.0, -clamp(p.z / 1200.0, -0.99, 0.99), 1.0);
}
"""

LIGHT: Final = """
uniform sampler2D key_map; uniform sampler2D fill_map;
uniform vec4 region; uniform vec2 key_shear; uniform vec2 fill_shear;
uniform vec3 key_dir; uniform vec3 fill_dir; uniform vec3 key_col; uniform vec3 fill_col; uniform vec3 amb_col;
uniform vec3 eye; uniform vec4 pool; uniform float exposure;
float lamp(sampler2D map, vec2 shear, vec3 p, float keep) {
    vec2 h = texture(map, (p.xy - p.z * shear - region.xy) * region.zw).rg;
    float d = h.x - p.z * 0.01 - 0.007;
    float v = max(h.y - h.x * h.x, 4e-5);
    float lit = v / (v + d * d);
    return d <= 0.0 ? 1.0 : clamp((lit - keep) / (1.0 - keep), 0.0, 1.0);
}
vec3 light(vec3 p, vec3 n, vec3 albedo, float gloss) {
    float key = lamp(key_map, key_shear, p, 0.18);
    float open = lamp(fill_map, fill_shear, p, 0.0);
    vec2 off = (p.xy - pool.xy) * pool.z;
    float spot = 1.0 - pool.w * min(1.0, dot(off, off));
    vec3 e = key_col * (max(dot(n, key_dir), 0.0) * key * spot) + fill_col * (max(dot(n, fill_dir), 0.0) * open)
        + amb_col * ((0.72 + 0.28 * n.z) * (0.42 + 0.58 * open));
    vec3 c = albedo * e;
    if (gloss > 0.0) {
        vec3 view = normalize(eye - p);
        float s = 1.0 - max(0.0, dot(n, normalize(view + key_dir)));
        float s2 = 1.0 - max(0.0, dot(n, normalize(view + fill_dir)));
        float edge = 1.0 - max(0.0, dot(n, view));
        float hi = gloss / (1.0 + gloss * 700.0 * s);
        float hi2 = gloss / (1.0 + gloss * 160.0 * s2);
        c += key_col * (0.30 * hi * hi * key * spot) + fill_col * (0.22 * hi2 * hi2 * open)
            + amb_col * (gloss * 0.10 * edge * edge * edge);
    }
    return c;
}
"""

FILM: Final = """
vec4 film(vec3 c) {
    c *= exposure;
    c = c * (1.0 + c * 0.12) / (1.0 + c * 0.36);
    return vec4(sqrt(clamp(c, 0.0, 1.0)), 1.0);
}
"""

SOLID_V: Final = """
in vec3 in_pos; in vec3 in_norm; in vec4 in_col; in vec3 in_more;
out vec3 pos; out vec3 norm; out vec4 col; out vec2 more; flat out float tag;
void main() {
    pos = in_pos; norm = in_norm; col = in_col; more = in_more.xy; tag = in_more.z; gl_Position = shoot(in_pos);
}
"""
LIT_V: Final = """
in vec3 in_pos; in vec3 in_norm; in vec4 in_col; in vec3 in_more;
out vec3 pos; out vec3 by_key; out vec3 by_fill; out vec4 base;
uniform vec3 key_dir; uniform vec3 fill_dir; uniform vec3 key_col; uniform vec3 fill_col; uniform vec3 amb_col;
uniform vec3 eye; uniform vec4 pool;
void main() {
    pos = in_pos;
    vec3 n = normalize(in_norm), view = normalize(eye - in_pos), albedo = in_col.rgb * in_col.rgb;
    float gloss = in_more.x;
    vec2 off = (pos.xy - pool.xy) * pool.z;
    float spot = 1.0 - pool.w * min(1.0, dot(off, off));
    float s = 1.0 - max(0.0, dot(n, normalize(view + key_dir)));
    float s2 = 1.0 - max(0.0, dot(n, normalize(view + fill_dir)));
    float edge = 1.0 - clamp(dot(n, view), 0.0, 1.0);
    float hi = gloss / (1.0 + gloss * 700.0 * s), hi2 = gloss / (1.0 + gloss * 160.0 * s2);
    vec3 amb = amb_col * albedo * (0.72 + 0.28 * n.z);
    by_key = key_col * spot * (albedo * max(dot(n, key_dir), 0.0) + 0.30 * hi * hi);
    by_fill = fill_col * (albedo * max(dot(n, fill_dir), 0.0) + 0.22 * hi2 * hi2) + 0.58 * amb;
    base = vec4(0.42 * amb + amb_col * (gloss * 0.10 * edge * edge * edge) + albedo * in_more.y, in_col.a);
    gl_Position = shoot(in_pos);
}
"""
SOLID_F: Final = """
in vec3 pos; in vec3 by_key; in vec3 by_fill; in vec4 base; out vec4 frag;
void main() {
    float key = lamp(key_map, key_shear, pos, 0.18), open = lamp(fill_map, fill_shear, pos, 0.0);
    frag = vec4(film(by_key * key + by_fill * open + base.rgb).rgb, base.a);
}
"""

PICTURE_V: Final = """
in vec3 in_pos; in vec3 in_norm; in vec2 in_uv;
out vec3 pos; out vec3 norm; out vec2 uv;
void main() { pos = in_pos; norm = in_norm; uv = in_uv; gl_Position = shoot(in_pos); }
"""
CLOTH_F: Final = """
in vec3 pos; in vec3 norm; in vec2 uv; out vec4 frag;
uniform sampler2D picture; uniform sampler2D ground; uniform vec4 region;
uniform vec3 key_up; uniform vec3 fill_up; uniform vec3 amb_col; uniform float exposure;
void main() {
    vec3 t = texture(picture, uv, -0.5).rgb;
    vec2 g = texture(ground, (pos.xy - region.xy) * region.zw).rg;
    frag = film(t * t * (key_up * g.x + fill_up * g.y + amb_col * (0.42 + 0.58 * g.y)));
}
"""
FLOOR_F: Final = """
in vec3 pos; in vec3 norm; in vec2 uv; out vec4 frag;
uniform sampler2D picture; uniform vec4 dim; uniform vec3 amb_col; uniform float exposure;
void main() {
    vec3 t = texture(picture, uv).rgb; t *= t;
    vec2 off = (pos.xy - dim.xy) * dim.z;
    frag = film(t * amb_col * dim.w / (0.6 + dot(off, off)));
}
"""

CARD_V: Final = """
in vec3 in_shape; in vec3 in_norm; in float in_side;
in vec3 i_pos; in vec3 i_x; in vec3 i_y; in vec3 i_z; in vec4 i_form; in vec3 i_art;
out vec3 pos; out vec3 norm; out vec3 uvl; out float edge; out float wear; flat out float tag;
void main() {
    float curl = i_form.x, thick = i_form.y, skew = i_form.z;
    vec2 xy = in_shape.xy;
    float t = xy.y / 44.0;
    pos = i_pos + i_x * (xy.x + skew * in_shape.z * 0.5) + i_y * xy.y
        + i_z * (in_shape.z * thick * 0.5 + curl * t * t);
    vec3 n0 = normalize(i_z - i_y * (2.0 * curl * t / 44.0));
    norm = in_side > 1.5 ? normalize(i_x * in_norm.x + i_y * in_norm.y) : n0 * in_norm.z;
    bool face = in_side < 0.5;
    float u = xy.x / 63.0 + 0.5;
    uvl = vec3(face ? u : 1.0 - u, 0.5 - xy.y / 88.0, face ? i_art.x : i_art.y);
    edge = in_side > 1.5 ? (in_shape.z * 0.5 + 0.5) * thick + 0.001 : 0.0;
    wear = i_form.w;
    tag = i_art.z + (face ? 32768.0 : 0.0);
    gl_Position = shoot(pos);
}
"""
CARD_F: Final = """
in vec3 pos; in vec3 norm; in vec3 uvl; in float edge; in float wear; out vec4 frag;
uniform sampler2DArray art; uniform sampler2D weave;
void main() {
    vec3 t;
    if (edge > 0.0) {
        t = vec3(0.74, 0.72, 0.67) * (0.55 + 0.45 * texture(weave, vec2(edge * 0.31, uvl.x * 0.05)).r);
    } else {
        t = texture(art, uvl, -0.7).rgb;
        t = t * t * (0.92 - wear * 0.3 * texture(weave, uvl.xy * 0.8 + uvl.zz * 0.37).r);
    }
    frag = film(light(pos, norm, t, 0.6));
}
"""

CHIP_V: Final = """
in vec3 in_shape; in vec3 in_norm; in vec3 in_uv;
in vec3 i_pos; in vec3 i_x; in vec3 i_y; in vec3 i_z; in vec3 i_art;
out vec3 pos; out vec3 norm; out vec3 uvl; out vec2 rim; flat out float tag;
void main() {
    pos = i_pos + i_x * in_shape.x + i_y * in_shape.y + i_z * in_shape.z;
    norm = i_x * in_norm.x + i_y * in_norm.y + i_z * in_norm.z;
    uvl = vec3(in_uv.xy, i_art.x);
    rim = vec2(in_uv.z, i_art.y);
    tag = i_art.z;
    gl_Position = shoot(pos);
}
"""
CHIP_F: Final = """
in vec3 pos; in vec3 norm; in vec3 uvl; in vec2 rim; out vec4 frag;
uniform sampler2DArray tops; uniform sampler2DArray sides;
void main() {
    vec3 t;
    if (rim.x > 0.5) {
        t = texture(sides, uvl, -0.5).rgb;
        float e = abs(uvl.y - 0.5) * 2.0;
        t = t * t * (1.0 - 0.6 * e * e * e * e);
    } else {
        t = texture(tops, uvl, -0.5).rgb; t *= t;
    }
    frag = film(light(pos, normalize(norm), t * rim.y, 0.35));
}
"""

ID_F: Final = "flat in float tag; out uint frag; void main() { frag = uint(tag + 0.5); }"
ID_NONE_F: Final = "out uint frag; void main() { frag = 0u; }"
HEIGHT_F: Final = (
    "in vec3 pos; out vec2 frag; void main() { float h = max(pos.z, 0.0) * 0.01; frag = vec2(h, h * h); }"
)
PLAIN_F: Final = "out vec4 frag; void main() { frag = vec4(0.0); }"
TILE_V: Final = VERSION + "in vec2 in_pos; void main() { gl_Position = vec4(in_pos, 1.0, 1.0); }"

VERTEX: Final = {"solid": SOLID_V, "cloth": PICTURE_V, "floor": PICTURE_V, "card": CARD_V, "chip": CHIP_V}
FLAT: Final = ("cloth", "floor")
"""Large and flat: their light is worked out beforehand (`Lamps`), because most pixels are theirs."""
FRAGMENT: Final = {"solid": SOLID_F, "cloth": CLOTH_F, "floor": FLOOR_F, "card": CARD_F, "chip": CHIP_F}


def sources(material: str, kind: str) -> tuple[str, str]:
    """Vertex and fragment source of a material for a pass: "colour", "id" or "height"."""
    shape = LIT_V if (material, kind) == ("solid", "colour") else VERTEX[material]
    vertex = VERSION + (TOP if kind == "height" else SHOOT) + shape
    if kind == "colour":
        fragment = FRAGMENT[material]
        if material in FLAT:
            declared, main = fragment.split("void main")
            return vertex, VERSION + declared + FILM + "void main" + main
        return vertex, VERSION + LIGHT + FILM + fragment
    if kind == "height":
        return vertex, VERSION + HEIGHT_F
    return vertex, VERSION + (ID_NONE_F if material in FLAT else ID_F)

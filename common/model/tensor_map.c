/* tensor_map.c - the 128 bytes of a tensor map, which describe an array to the copy engine (TMA) of
 * 9.0.
 *
 *      size[1] rows   . . . . . . . .      a box of box[0] x box[1] elements at (x, y): elements
 *                     . . [ box ] . .      outside of the array are read as 0, and not written
 *                     . . [     ] . .
 *
 * In shared memory the rows of a box are contiguous; with a swizzle, they are as far apart as its
 * width. With a swizzle of 128 bytes, the 16-byte chunk c of row r is at position c ^ r % 8:
 *
 *      row 0   0 1 2 3 4 5 6 7       row 1   1 0 3 2 5 4 7 6       row 2   2 3 0 1 6 7 4 5   ...
 *
 * NVIDIA's encoding is not published. A simulated GPU has its own. Source: CUDA Driver API,
 * cuTensorMapEncodeTiled; PTX ISA, tensors, swizzling modes. */
#include "model/model.h"

#include <string.h>

/* the first 8 bytes of a map: "tnsormap" in ASCII */
static const uint64_t MAGIC = 0x70616d726f736e74;

struct bytes {
    uint64_t magic, data, size[MODEL_TENSOR_RANK], stride[MODEL_TENSOR_RANK];
    uint16_t box[MODEL_TENSOR_RANK];
    uint8_t rank, element, swizzle, tf32;
};
_Static_assert(sizeof(struct bytes) <= MODEL_TENSOR_MAP_BYTES, "a tensor map has 128 bytes");

const char *model_tensor_map_bad(const struct model_tensor_map *m)
{
    if (m->rank < 1 || m->rank > MODEL_TENSOR_RANK) return "an array has 1 to 5 dimensions";
    if (m->data % 16) return "the array must begin at a multiple of 16 bytes";
    if ((uint64_t)m->box[0] * (unsigned)m->element % 16)
        return "a row of the box must be a multiple of 16 bytes";
    if (m->swizzle != 0 && m->swizzle != 32 && m->swizzle != 64 && m->swizzle != 128)
        return "a swizzle has 32, 64 or 128 bytes";
    if (m->tf32 && m->element != 4) return "only floats are rounded to TF32";
    if (m->swizzle && m->box[0] * (unsigned)m->element > (unsigned)m->swizzle)
        return "a row of the box must fit into the bytes of its swizzle";
    for (int i = 0; i < m->rank; i++) {
        if (!m->size[i] || m->size[i] > (uint64_t)1 << 32)
            return "a dimension has 1 to 2^32 elements";
        if (m->box[i] < 1 || m->box[i] > 256)
            return "a box has 1 to 256 elements in each dimension";
        if (i && (m->stride[i] % 16 || m->stride[i] >= (uint64_t)1 << 40))
            return "a row of the array must be a multiple of 16 bytes";
    }
    return NULL;
}

void model_tensor_map_write(
    const struct model_tensor_map *m, unsigned char out[MODEL_TENSOR_MAP_BYTES])
{
    struct bytes b = {.magic = MAGIC,
        .data = m->data,
        .rank = (uint8_t)m->rank,
        .element = (uint8_t)m->element,
        .swizzle = (uint8_t)m->swizzle,
        .tf32 = (uint8_t)m->tf32};
    for (int i = 0; i < m->rank; i++) {
        b.size[i] = m->size[i];
        b.stride[i] = i ? m->stride[i] : (uint64_t)m->element;
        b.box[i] = (uint16_t)m->box[i];
    }
    memset(out, 0, MODEL_TENSOR_MAP_BYTES);
    memcpy(out, &b, sizeof b);
}

int model_tensor_map_read(
    const unsigned char in[MODEL_TENSOR_MAP_BYTES], struct model_tensor_map *m)
{
    struct bytes b;
    memcpy(&b, in, sizeof b);
    *m = (struct model_tensor_map){
        .data = b.data, .rank = b.rank, .element = b.element, .swizzle = b.swizzle, .tf32 = b.tf32};
    if (b.magic != MAGIC || b.rank > MODEL_TENSOR_RANK) return -1;
    for (int i = 0; i < b.rank; i++) {
        m->size[i] = b.size[i];
        m->stride[i] = b.stride[i];
        m->box[i] = b.box[i];
    }
    return model_tensor_map_bad(m) ? -1 : 0;
}

/* Bits 4 to 6 of the address are exclusive-ored with bits 7 to 9; a narrower swizzle uses fewer of
 * these bits. */
uint32_t model_swizzle(int swizzle, uint32_t address)
{
    uint32_t bits = swizzle == 128 ? 7 : swizzle == 64 ? 3 : swizzle == 32 ? 1 : 0;
    return address ^ (address >> 3 & bits << 4);
}

/* Rounds to the nearest float with 10 bits of mantissa, ties to even; NaN becomes 0x7fffe000. An
 * H200 does the same. */
uint32_t model_tf32(uint32_t bits)
{
    uint32_t half = 0xfff + (bits >> 13 & 1);
    return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fffe000 : (bits + half) & 0xffffe000;
}

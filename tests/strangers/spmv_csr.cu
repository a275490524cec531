// run: spmv_scalar 1 64 i32:64 buf:i32:65:iota buf:i32:64:iota buf:f64:64:fill=2 buf:f64:64:iota buf:f64:64:none
// run: spmv_struct 1 64 struct:{i32:64,i32:64,buf:i32:65:iota,buf:i32:64:iota,buf:f32:64:fill=2} buf:f32:64:iota buf:f32:64:none
#include <cassert>
#include <vector>

template <class IndexType, class ValueType>
__global__ void spmv_scalar(const IndexType num_rows, const IndexType *row_ptr, const IndexType *col, const ValueType *val,
                            const ValueType *x, ValueType *y)
{
    const IndexType row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row < num_rows) {
        ValueType sum = 0;
        for (IndexType jj = row_ptr[row]; jj < row_ptr[row + 1]; jj++)
            sum += val[jj] * x[col[jj]];
        y[row] = sum;
    }
}
template __global__ void spmv_scalar<int, double>(int, const int *, const int *, const double *, const double *, double *);

struct CSR {
    int rows, cols;
    const int *rowPtr, *colIdx;
    const float *values;
};

__global__ void spmv_struct(CSR m, const float *x, float *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m.rows) return;
    float sum = 0;
    for (int k = m.rowPtr[row]; k < m.rowPtr[row + 1]; k++)
        sum += m.values[k] * x[m.colIdx[k]];
    y[row] = sum;
}

void multiply(const std::vector<int> &ptr, const std::vector<int> &col, const std::vector<float> &val, float *x, float *y)
{
    int *p, *c;
    float *v;
    assert(col.size() == val.size());
    cudaMalloc(&p, ptr.size() * sizeof(int));
    cudaMalloc(&c, col.size() * sizeof(int));
    cudaMalloc(&v, val.size() * sizeof(float));
    cudaMemcpy(p, ptr.data(), ptr.size() * sizeof(int), cudaMemcpyHostToDevice);
    CSR m{int(ptr.size()) - 1, 0, p, c, v};
    spmv_struct<<<(m.rows + 63) / 64, 64>>>(m, x, y);
    cudaFree(p);
}

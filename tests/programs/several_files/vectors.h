// What the files of this project share.
#pragma once

void set_scale(float s);
void scale(float *x, int n);
void add(const float *x, float *y, int n);
float sum(const float *x, int n);

inline int blocks_of(int n, int threads) { return (n + threads - 1) / threads; }

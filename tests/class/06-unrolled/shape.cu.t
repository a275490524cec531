%skeleton // shape: ... #include

{{#define X 32
#define Y 16
#define PAD 2~~#define X 32
#define Y 16
#define PAD 2~~#define X 16
#define Y 16
#define PAD 2~~#define X 32
#define Y 16
#define PAD 1}}
%skeleton LAUNCH(chosen ... LAUNCH(chosen

PREDICT(loads_32x16, {{16~~16~~32~~1}})
PREDICT(loads_32x16_pad_1, {{2~~2~~2~~1}})
PREDICT(loads_32x16_pad_2, {{1~~1~~1~~2}})
PREDICT(loads_16x16_pad_2, {{1~~1~~1~~2}})
PREDICT(stores_16x16_pad_2, {{2~~2~~2~~1}})
PREDICT(loads_8x8_pad_4, {{1~~1~~1~~1}})
PREDICT(stores_8x8_pad_4, {{2~~2~~2~~4~~1}})
PREDICT(sectors_8x8, {{4~~4~~4~~8}})

%skeleton LAUNCH(block_32x16, ... turn<X, Y, PAD>(in, out, rows, cols);
}

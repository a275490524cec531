%skeleton // banks: ... #define RECORD
#define PAD {{1~~1~~1~~1~~5~~3~~2}}

PREDICT(stride_1_passes, 1)
PREDICT(stride_2_passes, {{2~~2~~2~~2~~2~~1}})
PREDICT(stride_3_passes, {{1~~1~~1~~1~~1~~3}})
PREDICT(stride_4_passes, {{4~~4~~4~~4~~4~~4}})
PREDICT(stride_12_passes, {{4~~4~~4~~4~~4~~12}})
PREDICT(broadcast_passes, {{1~~1~~1~~1~~1~~32}})
PREDICT(multicast_passes, {{1~~1~~1~~1~~4}})
PREDICT(doubles_passes, {{2~~2~~2~~2~~1}})
PREDICT(doubles_conflicts, {{0~~0~~0~~8192}})
PREDICT(points_passes, {{1~~1~~1~~3}})

%skeleton LAUNCH(stride_1 ... ((struct point *)out)[i] = shared[x];
}

#include <nvToolsExt.h>

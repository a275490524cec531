#include "step/step.h"
void step_page(struct step_session *s, const char *t, size_t most, struct buf *out) {(void)s;(void)t;(void)most;(void)out;}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A start for an implementation in C by the process way: answers hello and `unsupported`. (The library way needs no JSON:
 * see ../../c/minimal.c and assay_impl.h.)
 *
 *   cc -std=c11 -O2 -o impl impl.c
 *   assay certify --exec ./impl
 *
 * The request line starts with {"id":N,"op":"NAME" in that order; for the rest of it a JSON parser is needed. List an op in
 * the hello's "ops" and it is asked for.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char* line = NULL;
  size_t room = 0;
  while (getline(&line, &room, stdin) > 0) {
    unsigned long long id = 0;
    char op[32] = "";
    if (sscanf(line, "{\"id\":%llu,\"op\":\"%31[a-z_]\"", &id, op) != 2) {
      fprintf(stderr, "no request: %.80s\n", line);
      return 1; /* that costs this case, and the next one gets a fresh process */
    }
    if (strcmp(op, "hello") == 0)
      printf("{\"id\":%llu,\"protocol\":1,\"name\":\"template-c\",\"version\":\"0\",\"ops\":[]}\n", id);
    else
      printf("{\"id\":%llu,\"status\":\"unsupported\"}\n", id);
    fflush(stdout); /* each answer at once: the runner waits for it */
  }
  free(line);
  return 0;
}

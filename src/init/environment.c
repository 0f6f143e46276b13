/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What of the program's environment is only known in the container. */

#include "init/environment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "init/home.h"

#define N_ADDED 2 /* at most */

static bool has_home(char *const *env) {
        for (; env && *env; env++) {
                if (strncmp(*env, "HOME=", 5) == 0)
                        return true;
        }
        return false;
}

static size_t count(char *const *env) {
        size_t n = 0;

        while (env && env[n])
                n++;
        return n;
}

int environment_make(Init *init, SetupFailure *reterr_failure) {
        char *const *env = init->plan->env;
        size_t n = count(env);

        init->env = calloc(n + N_ADDED + 1, sizeof(*init->env));
        if (!init->env)
                return setup_failed(reterr_failure, -ENOMEM, "make", "the environment");
        memcpy(init->env, env, n * sizeof(*env));
        if (!has_home(env)) {
                autofree char *home = home_of_user(init);

                if (!home || asprintf(&init->env[n++], "HOME=%s", home) < 0)
                        return setup_failed(reterr_failure, -ENOMEM, "set", "HOME");
        }
        if (init->plan->listen_pid && asprintf(&init->env[n], "LISTEN_PID=%d", (int) getpid()) < 0)
                return setup_failed(reterr_failure, -ENOMEM, "set", "LISTEN_PID");
        return 0;
}

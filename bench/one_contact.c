// Nanoseconds per call of the exact one-contact solver, by state and by quality of the guess.
//
// Contacts as rigid bodies give them (condition of W up to 10) and badly conditioned ones (up to 1e8, unsymmetric).
// Guesses: none; the solution for a load that differs by one percent, as in a sweep that has begun to converge; the
// solution itself.

#include "solve/one_contact.h"
#include "base/clock.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CONTACTS = 512, REPEATS = 20, ROUNDS = 100, GUESSES = 3 };

typedef struct sample {
    rico_one_contact contact;
    double q[3];
    double guess[GUESSES][3];
} sample;

// W = A A' + skew with A having singular values spread over sqrt(condition).
static void draw_matrix(rico_random *random, double condition, double skew, double W[9])
{
    double A[9], x[3];
    for (int i = 0; i < 9; i++) A[i] = rico_random_normal(random);
    for (int i = 0; i < 3; i++) x[i] = pow(condition, -0.5 * rico_random_unit(random));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            W[3 * i + j] = i == j ? 1.0 / condition : 0.0;
            for (int k = 0; k < 3; k++) W[3 * i + j] += A[3 * i + k] * A[3 * j + k] * x[k] * x[k];
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) {
            double turn = skew * rico_random_normal(random);
            W[3 * i + j] += turn;
            W[3 * j + i] -= turn;
        }
}


// Draws until a contact ends in the wanted state.
static void draw_sample(rico_random *random, double condition, double skew, rico_contact_state wanted,
                        sample *s)
{
    rico_contact_state found;
    do {
        double W[9], near[3];
        draw_matrix(random, condition, skew, W);
        rico_one_contact_prepare(&s->contact, W, rico_random_range(random, 0.1, 1.0));
        for (int i = 0; i < 3; i++) s->q[i] = rico_random_normal(random);
        for (int g = 0; g < GUESSES; g++)
            for (int i = 0; i < 3; i++) s->guess[g][i] = 0.0;
        found = rico_one_contact_solve(&s->contact, s->q, s->guess[2]);
        for (int i = 0; i < 3; i++) near[i] = s->q[i] * (1.0 + 0.01 * rico_random_normal(random));
        rico_one_contact_solve(&s->contact, near, s->guess[1]);
    } while (found != wanted);
}


// The least time of many short rounds, so that a busy machine disturbs little.
static double measure(const sample *samples, int guess, double *sink)
{
    double least = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        double start = rico_clock();
        for (int repeat = 0; repeat < REPEATS; repeat++)
            for (int i = 0; i < CONTACTS; i++) {
                const double *g = samples[i].guess[guess];
                double r[3] = {g[0], g[1], g[2]};
                rico_one_contact_solve(&samples[i].contact, samples[i].q, r);
                *sink += r[0];
            }
        least = fmin(least, rico_clock() - start);
    }
    return 1e9 * least / ((double)REPEATS * CONTACTS);
}


static double measure_plane(const sample *samples, double *sink)
{
    double least = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        double start = rico_clock();
        for (int repeat = 0; repeat < REPEATS; repeat++)
            for (int i = 0; i < CONTACTS; i++) {
                const double *W = samples[i].contact.W;
                rico_one_contact_2d contact = {{W[0], W[1], W[3], W[4]}, samples[i].contact.mu};
                double r[2] = {0.0, 0.0};
                rico_one_contact_2d_solve(&contact, samples[i].q, r);
                *sink += r[0];
            }
        least = fmin(least, rico_clock() - start);
    }
    return 1e9 * least / ((double)REPEATS * CONTACTS);
}


int main(void)
{
    static const char *const names[] = {"open", "sticking", "sliding"};
    static const struct {
        const char *name;
        double condition, skew;
    } matrices[] = {{"well conditioned", 10.0, 0.0}, {"badly conditioned", 1e8, 0.3}};

    sample *samples = calloc(CONTACTS, sizeof *samples);
    if (!samples) {
        fprintf(stderr, "no memory for %d contacts\n", CONTACTS);
        return EXIT_FAILURE;
    }
    double sink = 0.0;
    printf("nanoseconds per call  %-18s %-10s %10s %10s %10s %10s\n", "W", "state", "no guess", "near",
           "solution", "in plane");
    for (int m = 0; m < 2; m++)
        for (int state = RICO_OPEN; state <= RICO_SLIDING; state++) {
            rico_random random;
            rico_random_seed(&random, 1);
            for (int i = 0; i < CONTACTS; i++)
                draw_sample(&random, matrices[m].condition, matrices[m].skew, (rico_contact_state)state,
                            samples + i);
            printf("%21s %-18s %-10s", "", matrices[m].name, names[state]);
            for (int guess = 0; guess < GUESSES; guess++) printf(" %10.1f", measure(samples, guess, &sink));
            printf(" %10.1f\n", measure_plane(samples, &sink));
        }
    free(samples);
    return isfinite(sink) ? EXIT_SUCCESS : EXIT_FAILURE;
}

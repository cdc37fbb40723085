// The state of the LZB model (Liu, Zhao, Brogliato 2008) while it integrates an impact.
//
// Each contact is a spring with force K delta^eta, written with its potential energy E instead of its indentation:
//
//     lambda = (1+eta)^(eta/(1+eta)) K^(1/(1+eta)) E^(eta/(1+eta))                (Nguyen, Brogliato 2018, eq. 19)
//     dE = rate dP in compression (rate >= 0),  rate dP / e^2 in expansion        (eq. 25, 26)
//
// with rate = -gamma the approach velocity and dP = lambda dt. A contact is idle (E = 0, it does not approach), starts
// (E = 0, it approaches) or is in impact (E > 0); the impact is over when all are idle.

#ifndef RICO_LAW_LZB_H
#define RICO_LAW_LZB_H

#include "law/impact_law.h"

typedef enum rico_lzb_phase { RICO_LZB_IDLE, RICO_LZB_COMPRESSION, RICO_LZB_EXPANSION } rico_lzb_phase;

typedef struct rico_lzb {
    int64_t size;
    const rico_csc *G;
    int64_t bandwidth;
    const double *restitution, *stiffness, *exponent;

    double *rate, *next;   // h: approach velocities, now and after the step
    double *increment;     // h: impulses of the step; zero outside the window
    double *energy;        // h: E, the law's array
    double *force, *power; // h: lambda = force E^power
    double *gain;          // h: 1/e^2, by which expansion divides its work; 1 for mono-stiffness, 0 for e = 0
    double *start;         // h: approach velocity above which an idle contact starts; INFINITY if not active
    double *peak;          // h: mono-stiffness: E at the last change to expansion
    unsigned char *phase;  // h: rico_lzb_phase
    bool mono;

    // all contacts that are not idle lie in [first, last]; first > last when the impact is over
    int64_t first, last;
    double step; // dt or dP
    double time;
} rico_lzb;

// One step in time, and one in the impulse of the contact with most energy.
void rico_lzb_step_time(rico_impact_law *law, rico_lzb *lzb);
void rico_lzb_step_impulse(rico_impact_law *law, rico_lzb *lzb);

// Sets the window to the contacts in [first, last] that are not idle.
void rico_lzb_narrow(rico_lzb *lzb, int64_t first, int64_t last);

#endif

// SPDX-License-Identifier: MIT
/*  programs.h - small programs that go on when a call of theirs fails, and know what their data must be.

    A program makes views and arrays over data with a model: what each element must be. A call that went well changes
    the model, one that reported an error does not. Whatever a program reads without an error is compared. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <stdbool.h>

typedef struct program {
    const char *name;
    void (*run)(void);
    void (*prepare)(void); /* before each run, without faults; NULL: nothing */
    const char *settings;  /* of the environment: "A=b C=d" */
    int devices;           /* that it takes */
    bool alone;            /* a process for each fault: it is about what happens once in a process */
} program;

extern const program programs[];

/* What one run of a program met. */
typedef struct outcome {
    unsigned errors;    /* that were reported */
    unsigned lost;      /* elements that are wrong, though nobody said so */
    unsigned ran;       /* of these: as if a call that was refused had run */
    unsigned permanent; /* what still fails when no call does any more */
    unsigned elsewhere; /* without faults, kernels run on the CPU backend that ran on a device */
    unsigned unknown;   /* reads that were refused, because what a failed call left is not known */
    char text[512];     /* the first of what is wrong */
} outcome;

extern outcome met;

/* Looks for devices, on which programs then run; how many there are. */
int programs_begin(const program *p);
/* Runs one with what is planned (under.h), and again without faults. `removes`: the plan's code takes devices away.
   Returns how many calls failed. */
unsigned program_run(const program *p, bool removes);
/* How many kernels a run without faults gives to devices: the last one's, or what is known from another process. */
unsigned long program_launches(void);
void program_expect(unsigned long launches);
/* Calls of a function in the last program_run, before it was run again. */
unsigned program_calls(int function);

#endif /* PROGRAMS_H */

// SPDX-License-Identifier: MIT
/*  names_of_others.h - macros of other headers that a program may include before the library's: windows.h, X11,
    ncurses, complex.h, sys/sysmacros.h. tests/check-headers compiles the library after them. */
#ifndef NAMES_OF_OTHERS_H
#define NAMES_OF_OTHERS_H

/* windows.h */
#define near
#define far
#define small     char
#define hyper     double
#define interface struct
#define pascal
#define cdecl
#define IN
#define OUT
#define OPTIONAL
#define CONST       const
#define VOID        void
#define TRUE        1
#define FALSE       0
#define ERROR       0
#define THIS        void
#define PURE        = 0
#define DELETE      (0x00010000L)
#define IGNORE      0
#define INFINITE    0xffffffff
#define DEVICE_TYPE DWORD
#define DOMAIN      1
#define OVERFLOW    3
#define NO_ERROR    0L
#define STRICT      1
#define TRANSPARENT 1
#define OPAQUE      2
#define RELATIVE    2
#define ABSOLUTE    1
#define min(a, b)   (((a) < (b)) ? (a) : (b))
#define max(a, b)   (((a) > (b)) ? (a) : (b))
#define GetObject   GetObjectA
#define CreateFile  CreateFileA
#define LoadImage   LoadImageA
#define DrawText    DrawTextA
#define SendMessage SendMessageA
#define s_addr      S_un.S_addr
#define h_addr      h_addr_list[0]
#define stdcall     __stdcall

/* X11 */
#define None        0L
#define Bool        int
#define Status      int
#define Success     0
#define True        1
#define False       0
#define Always      2
#define Above       0
#define Below       1
#define Complex     0
#define Unsorted    0
#define CursorShape 0
#define FocusIn     9
#define KeyPress    2
#define ControlMask (1 << 2)

/* complex.h */
#define I         (__extension__ 1.0iF)
#define complex   _Complex
#define imaginary _Imaginary

/* sys/sysmacros.h, sys/param.h, ncurses */
#define major(dev)    0
#define minor(dev)    0
#define makedev(a, b) 0
#define roundup(x, y) 0
#define powerof2(x)   0
#define howmany(x, y) 0
#define MIN(a, b)     (((a) < (b)) ? (a) : (b))
#define MAX(a, b)     (((a) > (b)) ? (a) : (b))
#define border(a, b)  0
#define box(a, b, c)  0
#define clear()       0
#define move(y, x)    0
#define timeout(d)    0

/* compilers and C libraries of old */
#define linux 1
#define unix  1
#define sun   1
#define i386  1
#define bool _Bool
#define true 1
#define false 0
#define MAXINT        0x7fffffff
#define PI            3.14159265358979323846
#define EPSILON       1e-6f
#define SIZE          16
#define BLOCK         16
#define DEBUG         1
#define VERSION       "1"
#define assume(x)     ((void)0)
#define likely(x)     (x)
#define unlikely(x)   (x)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof *(a))

#endif /* NAMES_OF_OTHERS_H */

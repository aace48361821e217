// SPDX-License-Identifier: MIT
/*  A window that shows pictures and takes keys, for the examples: by SDL2 and SDL2_gfx, where the program is built with
    -DWITH_SDL2 and there is a display. Otherwise the pictures become files, name-0001.png and so on, as many as the
    program wants of them, with their texts as lines. A pixel is red | green << 8 | blue << 16.

        window w = window_open("name", 640, 480, 10);
        do { ...; key = window_key(&w, 0); ... } while (window_show(&w, pixels, "text") && key != 'q');
        bool good = window_close(&w);                                                                     */
#ifndef WINDOW_H
#define WINDOW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"

#ifdef WITH_SDL2
#include <SDL.h>
#include <SDL2_gfxPrimitives.h>
#endif

typedef struct window {
    const char *name;
    int width, height;
    int files, most; /* pictures that became files, and how many of them shall */
    int x, y;        /* where the last key was meant: at the pointer for the mouse, else in the middle */
    bool visible, failed;
#ifdef WITH_SDL2
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Texture *texture;
#endif
} window;

/* ---- by SDL2, or without --------------------------------------------------------------------------------- */

#ifdef WITH_SDL2
static inline const char *sdl_error(void) { return SDL_GetError(); }

/* Without a display SDL takes a driver that draws into memory. */
static inline bool sdl_open(window *w)
{
    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        return false;
    if (!strcmp(SDL_GetCurrentVideoDriver(), "offscreen")) {
        SDL_SetError("there is no display");
        return false;
    }
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear");
    w->window = SDL_CreateWindow(w->name, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, w->width, w->height,
                                 SDL_WINDOW_RESIZABLE);
    if (w->window)
        w->renderer = SDL_CreateRenderer(w->window, -1, 0);
    if (w->renderer)
        w->texture =
            SDL_CreateTexture(w->renderer, SDL_PIXELFORMAT_ABGR8888, SDL_TEXTUREACCESS_STREAMING, w->width, w->height);
    if (!w->texture)
        return false;
    SDL_SetTextureBlendMode(w->texture, SDL_BLENDMODE_NONE);
    SDL_RenderSetLogicalSize(w->renderer, w->width, w->height); /* the picture grows with the window */
    return true;
}

static inline void sdl_close(window *w)
{
    if (w->texture)
        SDL_DestroyTexture(w->texture);
    if (w->renderer)
        SDL_DestroyRenderer(w->renderer);
    if (w->window)
        SDL_DestroyWindow(w->window);
    SDL_Quit();
}

/* The text stands in the title, and on a dark ground in the picture, in letters of 8 x 8 pixels. */
static inline bool sdl_show(window *w, const uint32_t *pixels, const char *text)
{
    const bool ok = SDL_UpdateTexture(w->texture, NULL, pixels, 4 * w->width) == 0 &&
                    SDL_RenderClear(w->renderer) == 0 && SDL_RenderCopy(w->renderer, w->texture, NULL, NULL) == 0;
    boxRGBA(w->renderer, 4, 4, (Sint16)(15 + 8 * strlen(text)), 23, 0, 0, 0, 160);
    stringRGBA(w->renderer, 10, 10, text, 255, 255, 255, 255);
    SDL_RenderPresent(w->renderer);
    SDL_SetWindowTitle(w->window, text);
    return ok;
}

/* The key of an event: buttons and the wheel of the mouse are + and -. */
static inline int sdl_key_of(window *w, const SDL_Event *event)
{
    w->x = w->width / 2, w->y = w->height / 2;
    switch (event->type) {
    case SDL_QUIT: return 'q';
    case SDL_MOUSEWHEEL: return event->wheel.y > 0 ? '+' : '-';
    case SDL_MOUSEBUTTONDOWN:
        w->x = event->button.x, w->y = event->button.y;
        return event->button.button == SDL_BUTTON_LEFT ? '+' : '-';
    case SDL_KEYDOWN: break;
    default: return 0;
    }
    switch (event->key.keysym.sym) {
    case SDLK_ESCAPE: return 'q';
    case SDLK_EQUALS:
    case SDLK_KP_PLUS: return '+';
    case SDLK_KP_MINUS: return '-';
    default: return event->key.keysym.sym < 128 ? (int)event->key.keysym.sym : 0;
    }
}

static inline int sdl_key(window *w, int milliseconds)
{
    SDL_Event event;
    int key = 0;
    for (bool found = SDL_WaitEventTimeout(&event, milliseconds); found && !key; found = !key && SDL_PollEvent(&event))
        key = sdl_key_of(w, &event);
    return key;
}
#else
static inline const char *sdl_error(void) { return "built without SDL2"; }
static inline bool sdl_open(window *w) { return w->visible; }
static inline void sdl_close(window *w) { w->visible = false; }
static inline bool sdl_show(window *w, const uint32_t *pixels, const char *text) { return w && pixels && text; }
static inline int sdl_key(window *w, int milliseconds) { return w->visible * milliseconds; }
#endif

/* ---- what programs call ---------------------------------------------------------------------------------- */

/* most: how many pictures shall become files where there is no display; a single one needs no window */
static inline window window_open(const char *name, int width, int height, int most)
{
    window w = { .name = name, .width = width, .height = height, .most = most };
    w.visible = most > 1 && sdl_open(&w);
    if (!w.visible && most > 1) {
        printf("no window: %s; %d pictures instead\n", sdl_error(), most);
        sdl_close(&w);
    }
    return w;
}

/* Shows a picture; false when it was the last. */
static inline bool window_show(window *w, const uint32_t *pixels, const char *text)
{
    if (w->visible) {
        w->failed |= !sdl_show(w, pixels, text);
        return !w->failed;
    }
    char name[64];
    snprintf(name, sizeof name, "%s-%04d.png", w->name, ++w->files);
    w->failed |= !picture_write(name, pixels, w->width, w->height);
    printf("%s: %s\n", name, text);
    return !w->failed && w->files < w->most;
}

/* The next key that was pressed, which is waited for so long, or 0; 'q' also for Escape and a closed window. */
static inline int window_key(window *w, int milliseconds) { return w->visible ? sdl_key(w, milliseconds) : 0; }

/* False if something could not be shown. */
static inline bool window_close(window *w)
{
    if (w->visible && w->failed)
        fprintf(stderr, "the window: %s\n", sdl_error());
    if (w->visible)
        sdl_close(w);
    return !w->failed;
}

#endif

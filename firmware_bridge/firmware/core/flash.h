/* Constant data in flash: on the ATmega it is read with other instructions than RAM. */
#ifndef FLASH_H
#define FLASH_H

#include <stdio.h>
#include <string.h>

#ifdef __AVR__
#include <avr/pgmspace.h>
#else
#define PROGMEM
#define PSTR(text) (text)
#define memcpy_P memcpy
#define strncpy_P strncpy
#define strlen_P strlen
#define snprintf_P snprintf
#define pgm_read_byte(address) (*(const uint8_t *)(address))
#define pgm_read_word(address) (*(const uint16_t *)(address))
#endif

#endif

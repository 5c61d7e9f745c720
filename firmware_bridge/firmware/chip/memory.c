#include "memory.h"

#include <avr/eeprom.h>
#include <stddef.h>

#include "board.h"
#include "crc.h"

struct record {
    char sources[8]; /* of the firmware that has written it */
    uint16_t boots;
    uint8_t button;
    uint16_t crc;
};

static struct record record;
static struct record kept EEMEM;

static uint16_t crc_of(const struct record *of) {
    const uint8_t *bytes = (const void *)of;
    uint16_t crc = CRC_START;
    for (uint8_t n = 0; n < offsetof(struct record, crc); n++)
        crc = crc_add(crc, bytes[n]);
    return crc;
}

static void keep(void) {
    record.crc = crc_of(&record);
    eeprom_update_block(&record, &kept, sizeof record);
}

uint16_t memory_count_start(void) {
    static const char sources[] = SOURCES;
    eeprom_read_block(&record, &kept, sizeof record);
    bool whole = record.crc == crc_of(&record);
    bool ours = whole;
    for (uint8_t n = 0; n < sizeof record.sources; n++)
        ours &= record.sources[n] == sources[n];
    if (!whole)
        record.button = false;
    if (!ours) {
        for (uint8_t n = 0; n < sizeof record.sources; n++)
            record.sources[n] = sources[n];
        record.boots = 0;
    }
    record.boots = record.boots == UINT16_MAX ? 1 : record.boots + 1;
    keep();
    return record.boots;
}

bool button_known(void) {
    return record.button;
}

void button_remember(void) {
    record.button = true;
    keep();
}

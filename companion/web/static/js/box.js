// What is in the box, for drawing: order, colours and shapes. The same colours as printed on the pieces.

import { t } from "./messages.js";

export const DEITIES = {
  ze: [235, 180, 40], he: [110, 40, 160], ar: [200, 30, 35], at: [130, 170, 200],
  ha: [45, 45, 55], de: [40, 150, 60], po: [30, 90, 200], ap: [230, 110, 170],
};

export const TOKENS = {
  thunder: { colour: [235, 200, 40], shape: "M1.6-6-4 1h3.2L-2 6 4-1.6H.8z" },
  fertility: { colour: [50, 160, 70], shape: "M-4.5 4.5C-5.5-2 0-5.5 5-5 5.3.5 2 5.5-4.5 4.5zM-4.5 4.5 1-1" },
  gate: { colour: [130, 130, 135], shape: "M-5 5v-5.5a5 5 0 0 1 10 0V5h-3v-5a2 2 0 0 0-4 0v5z" },
  barrier: { colour: [200, 40, 40], shape: "M-5-3.5H5v3H-5zM-5 .5H5v3H-5z" },
};

export const css = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;

// Black or white, whichever is read better on the colour.
export function inkOn([red, green, blue]) {
  const linear = (value) => (value / 255) ** 2.2;
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return luminance > 0.2 ? "#14171c" : "#ffffff";
}

export const initials = (deity) => t(`deity.${deity}`).slice(0, 2);

// The seat light (0 south, then clockwise in steps of 45°) that belongs to a seat.
export const seatLight = (seat, players) => (players === 4 ? [1, 3, 5, 7] : [2, 6])[seat] ?? 0;

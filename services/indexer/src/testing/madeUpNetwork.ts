/** Id of the network whose blocks a benchmark makes up. */
export const MADE_UP_NETWORK = 424_242

/** Id of the network whose blocks a benchmark makes up. */
export const GENERATED_NETWORK = 424_242

/** Colour of a state. */
export type Tone = 'good' | 'warn' | 'bad' | 'quiet'

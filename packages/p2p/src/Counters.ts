/** What was seen and not worth a disconnect. Each only grows. */
export interface Counters {
  unsolicitedAnswers: number
}

/**
 * Returns a function that runs work one after the other: each starts when all earlier ones have ended, whether or not
 * they failed. The function returns the result of the work.
 */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}

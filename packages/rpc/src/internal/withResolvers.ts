/** A promise and the functions that settle it. */
export type Resolvers<T> = {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (reason: unknown) => void
}

/** Returns a new promise and the functions that settle it. Node 20 has no `Promise.withResolvers`. */
export function withResolvers<T>(): Resolvers<T> {
  let resolve: Resolvers<T>['resolve'] = () => {}
  let reject: Resolvers<T>['reject'] = () => {}
  const promise = new Promise<T>((...settle) => {
    ;[resolve, reject] = settle
  })
  return { promise, resolve, reject }
}

import type { AnyConverter, AnySchema, Infer, Schema } from './internal/schema.ts'

/** A method with the schemas of its argument object and its result. */
export interface Method<P = never, R = unknown> {
  readonly params: Schema<P>
  readonly result: Schema<R>
  /** Whether a second call can fail because of the first one, so that clients must not repeat it; false by default. */
  readonly isOnce?: boolean
}

/** Methods by full name, such as `platform.getHeight`. */
export type MethodTable = Readonly<
  Record<string, { readonly params: AnySchema; readonly result: AnySchema; readonly isOnce?: boolean }>
>

/** Methods by full name, as a client needs them. Every {@link MethodTable} is one. */
export type ClientTable = Readonly<
  Record<string, { readonly params: AnyConverter; readonly result: AnyConverter; readonly isOnce?: boolean }>
>

/** The TypeScript type of the argument of a method in a table. */
export type Params<T extends ClientTable, M extends keyof T> = Infer<T[M]['params']>

/** The TypeScript type of the result of a method in a table. */
export type Result<T extends ClientTable, M extends keyof T> = Infer<T[M]['result']>

import type { AnySchema, Infer, Schema } from './internal/schema.ts'

/** One method: the schemas of its argument object and its result. */
export interface Method<P = never, R = unknown> {
  readonly params: Schema<P>
  readonly result: Schema<R>
}

/** Methods by their full name, such as `platform.getHeight`. */
export type MethodTable = Readonly<Record<string, { readonly params: AnySchema; readonly result: AnySchema }>>

/** The argument of a method of a table. */
export type Params<T extends MethodTable, M extends keyof T> = Infer<T[M]['params']>

/** The result of a method of a table. */
export type Result<T extends MethodTable, M extends keyof T> = Infer<T[M]['result']>

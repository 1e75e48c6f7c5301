import type * as Codec from '@firn/codec/Codec'

/** A struct of any fields. */
// biome-ignore lint/suspicious/noExplicitAny: `Codec.Infer` recovers the fields
export type AnyStruct = Codec.StructCodec<any>

/** The names of the fields of `Tx` that are exactly of the type `V`; those of `Known` are ignored. */
export type FieldOf<Tx, V, Known = never> = {
  [K in keyof Tx]: K extends Known ? never : [Tx[K], V] extends [V, Tx[K]] ? K : never
}[keyof Tx]

/** Inputs that consume UTXOs exported by the chain `from` (its id). */
export interface Imported<In> {
  readonly from: Uint8Array
  readonly inputs: readonly In[]
}

/** Outputs that the chain `to` (its id) can import. */
export interface Exported<Out> {
  readonly to: Uint8Array
  readonly outputs: readonly Out[]
}

/**
 * The role `Name`, which reads `V` from a transaction: required where there is a `Field` to read, otherwise
 * forbidden.
 */
export type Role<Name extends string, Tx, V, Field> = [Field] extends [never]
  ? { readonly [N in Name]?: undefined }
  : { readonly [N in Name]: (tx: Tx) => V }

/** A row of a registry: a variant of the codec's union, and the roles of its fields. */
export type Entry<L, R> = readonly [typeId: number, layout: L, roles: R]

/** The import role of a type: the role of inputs other than `inputs`. */
export type Importing<Tx, In> = Role<'imported', Tx, Imported<In>, FieldOf<Tx, readonly In[], 'inputs'>>

/** The export role of a type: the role of outputs other than `outputs`, on chains without stake. */
export type Exporting<Tx, Out> = Role<'exported', Tx, Exported<Out>, FieldOf<Tx, readonly Out[], 'outputs'>>

/** The transaction of one type of a registry, or of one of several, with the type's name as `type`. */
export type TxOf<Types extends Record<T, Entry<AnyStruct, object>>, T extends keyof Types> = {
  readonly [K in T]: { readonly type: K } & Codec.Infer<Types[K][1]>
}[T]

/**
 * Returns a function that reads a role, by its name in `Values`, from a transaction of any type; undefined
 * where the type does not have that role.
 */
export const readRole =
  <Values, TxType extends string>(types: Readonly<Record<TxType, Entry<AnyStruct, object>>>) =>
  <Name extends keyof Values>(tx: { readonly type: TxType }, name: Name): Values[Name] | undefined =>
    (types[tx.type][2] as { readonly [N in keyof Values]?: (tx: object) => Values[N] })[name]?.(tx)

import { OpenApiComponents } from '@firn/http'
import {
  type TArray,
  type TBoolean,
  type TEnum,
  type TInteger,
  type TNull,
  type TNumber,
  type TObject,
  type TOptional,
  type TSchema,
  type TString,
  type TUnion,
  Type,
} from 'typebox'

/** A JSON schema with a description and an example. Members and parameters have both, so they cannot be forgotten. */
export type Documented<S extends TSchema = TSchema> = S & {
  readonly description: string
  readonly examples: readonly unknown[]
}

/** Members of an object, or parameters, by name. */
export type Members = Readonly<Record<string, Documented>>

type Options = Readonly<Record<string, unknown>>

/** Values for examples. */
export const EXAMPLE = {
  subnetId: '11111111111111111111111111111111LpoYY',
  chainId: '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
  nodeId: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
  jobId: '5f0c7d1e-2b64-4b0a-9f39-6f8f1f0d3c55',
  /** Id of `message`, in cb58. */
  messageId: '74h9wE4ztZoXq5YzFJpvhPSczykcB6Z57p5ZVggbUcYUaraNA',
  /** An unsigned Warp message of the C-chain of Mainnet, with an empty payload. */
  message: '0000000000010427d4b22a2a78bcddd456742caf91b56badbff985ee19aef14573e7343fd65200000000',
  time: '2026-11-22T18:00:00Z',
  seconds: 1_795_370_400,
  height: '21500000',
  weight: '2000000000000',
  hash: '0x0dc4ae3279d0135c213b717649d27e251ced5f7a12237c904e9de531be32ead6',
} as const

const documented = <S extends TSchema>(schema: S): Documented<S> => schema as Documented<S>

/** Returns the schema of a string. */
export const text = (description: string, example: string, options: Options = {}): Documented<TString> =>
  documented(Type.String({ ...options, description, examples: [example] }))

/** Returns the schema of a whole number. */
export const integer = (description: string, example: number, options: Options = {}): Documented<TInteger> =>
  documented(Type.Integer({ ...options, description, examples: [example] }))

/** Returns the schema of a number. */
export const number = (description: string, example: number): Documented<TNumber> =>
  documented(Type.Number({ description, examples: [example] }))

/** Returns the schema of a truth value. */
export const flag = (description: string, example: boolean): Documented<TBoolean> =>
  documented(Type.Boolean({ description, examples: [example] }))

/** Returns the schema of one of several words. The first one is the example. */
export const choice = <const Words extends string[]>(
  words: readonly [...Words],
  description: string,
): Documented<TEnum<Words>> =>
  documented(Type.Enum(words, { type: 'string', description, examples: [words[0]] }))

/** Returns the schema of `null`. */
export const nothing = (description: string): Documented<TNull> =>
  documented(Type.Null({ description, examples: [null] }))

/** Returns the schema of an array. Its example has one element. */
export const list = <S extends Documented>(
  items: S,
  description: string,
  options: Options = {},
): Documented<TArray<S>> =>
  documented(Type.Array(items, { ...options, description, examples: [[items.examples[0]]] }))

/** Returns a named object. The OpenAPI document contains it once, under this name. */
export const object = <M extends Members>(
  name: string,
  description: string,
  members: M,
  options: Options = {},
): Documented<TObject<M>> => {
  const example = Object.fromEntries(Object.entries(members).map(([key, { examples }]) => [key, examples[0]]))
  return documented(Type.Object(members, { ...options, title: name, description, examples: [example] }))
}

/** Returns the parameters of a path or query, or the headers of a request. */
export const parameters = <M extends Members>(members: M): TObject<M> => Type.Object(members)

/** Returns the schema of a value that matches one of several schemas. Its example is the example of the first one. */
export const union = <const S extends [Documented, ...Documented[]]>(
  schemas: readonly [...S],
  description: string,
): Documented<TUnion<S>> =>
  documented(Type.Union([...schemas], { description, examples: schemas[0].examples }))

/** Returns the schema of a member or parameter that may be absent. */
export const optional = <S extends Documented>(schema: S): Documented<TOptional<S>> =>
  Type.Optional(schema) as Documented<TOptional<S>>

/** Returns a named schema as a member with its own description. */
export const as = <S extends Documented>(schema: S, meaning: string): S => ({
  ...schema,
  [OpenApiComponents.MEANING]: meaning,
})

const { height: HEIGHT, weight: WEIGHT, time: TIME } = EXAMPLE

/** Returns the schema of a weight, which can exceed 2^53. */
export const weight = (description: string, example: string = WEIGHT): Documented<TString> =>
  text(`${description}, as a decimal number`, example)

/** Returns the schema of a P-chain height. */
export const height = (description: string): Documented<TString> =>
  text(`${description}, as a decimal number`, HEIGHT)

/** Returns the schema of a time in ISO 8601. */
export const time = (description: string): Documented<TString> =>
  text(`${description}, ISO 8601 in UTC`, TIME)

/** Returns the schema of the NodeIDs of one validator. */
export const nodeIds = (): Documented<TArray<Documented<TString>>> =>
  list(text('NodeID', EXAMPLE.nodeId), 'NodeIDs of the validator; several nodes can have one BLS key')

/** Returns members that may all be absent. */
export const partial = <M extends Members>(
  members: M,
): { readonly [Name in keyof M]: Documented<TOptional<M[Name]>> } =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, optional(member)])) as never

import { Codec } from '@firn/codec'
import * as Case from '../Case.ts'
import { ConformanceError } from '../ConformanceError.ts'
import { dump, TYPE_IDS, TYPES } from '../internal/testTypes.ts'
import * as Suite from '../Suite.ts'

function versioned(type: string, maxSize = Codec.DEFAULT_MAX_SIZE): Codec.Codec<unknown> {
  const codec = TYPES[type]
  if (codec === undefined)
    throw new ConformanceError('CONFORMANCE_CASE', `expected a known type, got "${type}"`)
  return Codec.versioned(codec, { version: 0, maxSize })
}

function checkDecoded(it: Case.Case, codec: Codec.Codec<unknown>, value: unknown): void {
  Case.equals(it, 'value', dump(value))
  Case.equals(it, 'bytes', codec.encode(value))
  Case.same('size', Case.bytes(it, 'bytes').length, codec.size(value))
  // A string with invalid UTF-8 is printed with U+FFFD, so its JSON cannot be converted back to the same
  // bytes.
  if (isWellFormed(value))
    Case.same('value after a JSON round trip', value, codec.fromJSON(codec.toJSON(value)))
}

const isWellFormed = (value: unknown): boolean =>
  typeof value !== 'object' || value === null
    ? typeof value !== 'string' || value.isWellFormed()
    : Object.values(value).every(isWellFormed)

const SHAPES = 'Ifaces{V []interface}'
const SHAPE = 'Iface{V interface}'
const circle = { type: 'main.Circle', R: 1 }
const nest = (inner: unknown) => ({ type: 'main.Nest', Inner: inner })

/** The values that `marshalLimit` cases refer to by name. */
const LIMITS: Readonly<Record<string, readonly [type: string, value: unknown]>> = {
  'string of 65535 bytes': ['Str{V string}', { V: 'q'.repeat(65_535) }],
  'string of 65536 bytes': ['Str{V string}', { V: 'q'.repeat(65_536) }],
  'nil interface': [SHAPE, { V: null }],
  'nil pointer in slice': [SHAPES, { V: [circle, null] }],
  'slice of zero length values': ['Empties{V []EmptyT}', { V: [{}] }],
  'unregistered interface type': [SHAPE, { V: { type: 'main.unreg', R: 1 } }],
  'recursive nest': [SHAPE, { V: nest(nest(circle)) }],
}

function limited(name: string): readonly [type: string, value: unknown] {
  const count = name.match(/^bytes of (\d+) with maximum size \d+$/)?.[1]
  const known =
    count === undefined ? LIMITS[name] : (['Bytes{V []byte}', { V: new Uint8Array(Number(count)) }] as const)
  if (known === undefined)
    throw new ConformanceError('CONFORMANCE_CASE', `expected a known limit, got "${name}"`)
  return known
}

/** Checks what the declarative codec decodes, encodes and rejects for test types. */
export const codecPrimitive = Suite.create('codec-primitive.json', {
  note(it) {
    Case.equals(it, 'version', 0)
    Case.equals(it, 'maxSize', Codec.DEFAULT_MAX_SIZE)
    Case.equals(it, 'typeIDs', TYPE_IDS)
    // This field describes the types that are declared in this file.
    Case.ignore(it, 'types')
    return undefined
  },
  valid(it) {
    const codec = versioned(Case.text(it, 'type'))
    checkDecoded(it, codec, codec.decode(Case.bytes(it, 'bytes')))
    return undefined
  },
  decode(it) {
    const codec = versioned(Case.text(it, 'type'))
    const decoded = Case.verdict(it, () => codec.decode(Case.bytes(it, 'bytes')))
    if (decoded !== undefined) checkDecoded(it, codec, decoded.value)
    return undefined
  },
  marshalLimit(it) {
    const [type, value] = limited(it.name)
    const codec = versioned(type, Case.number(it, 'maxSize'))
    const encoded = Case.verdict(it, () => codec.encode(value))
    if (encoded !== undefined) Case.equals(it, 'length', encoded.value.length)
    return undefined
  },
  unmarshalLimit(it) {
    const codec = versioned(Case.text(it, 'type'), Case.number(it, 'maxSize'))
    const decoded = Case.verdict(it, () => codec.decode(Case.bytes(it, 'bytes')))
    if (decoded !== undefined) Case.equals(it, 'bytes', codec.encode(decoded.value))
    return undefined
  },
})

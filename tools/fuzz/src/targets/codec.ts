import { Address, Bytes, Cb58, CheckedHex, Codec, Hex, Id, Json, NodeId, ShortId } from '@firn/codec'
import { arbitrary } from '@firn/codec/testing'
import * as fc from 'fast-check'
import * as Corpus from '../Corpus.ts'
import { ofBytes, ofText, type Target } from '../Target.ts'

/** Codec that uses every combinator, nested as in real structures. */
const everything = Codec.versioned(
  Codec.struct({
    flag: Codec.bool,
    tiny: Codec.u8,
    small: Codec.i16,
    number: Codec.u32,
    amount: Codec.u64,
    chain: Codec.id,
    node: Codec.nodeId,
    seal: Codec.fixed(4),
    memo: Codec.bytes({ max: 256 }),
    name: Codec.string,
    owners: Codec.array(Codec.struct({ threshold: Codec.u32, addresses: Codec.array(Codec.shortId) })),
    choice: Codec.union({
      Empty: [0, Codec.struct({})],
      Pair: [7, Codec.struct({ left: Codec.u64, right: Codec.bytes() })],
      List: [21, Codec.struct({ items: Codec.array(Codec.u16, { max: 64 }) })],
    }),
    entries: Codec.map(Codec.string, Codec.u64),
  }),
  { version: 0, maxSize: 64 * 1024 },
)

const samples = () => fc.sample(arbitrary(everything), { seed: 1, numRuns: 64 })

const roundTrip = (input: Uint8Array, output: Uint8Array): string | undefined =>
  Bytes.equals(input, output) ? undefined : 'decoded bytes encode to different bytes'

const sameText = (input: string, output: string): string | undefined =>
  input === output ? undefined : `parsed text is formatted as ${output}`

/** Targets for text forms and the binary codec. */
export const codecTargets: readonly Target[] = [
  ofText(
    'cb58',
    () => Corpus.texts('codec/vectors/cb58', 'cb58'),
    (text) => sameText(text, Cb58.encode(Cb58.decode(text))),
  ),
  ofText(
    'hex',
    () => Corpus.texts('codec/vectors/cb58', 'bytes'),
    (text) => sameText(text.toLowerCase(), Hex.encode(Hex.decode(text))),
  ),
  ofText(
    'hex, prefix optional',
    () => Corpus.texts('codec/vectors/cb58', 'bytes'),
    (text) => {
      Hex.decodeAny(text)
    },
  ),
  ofText(
    'checked hex',
    () => Corpus.texts('codec/vectors/hexchecksum', 'hex', /valid/),
    (text) => {
      if (text === '') return undefined
      return sameText(text.toLowerCase(), CheckedHex.encode(CheckedHex.decode(text)))
    },
  ),
  ofText(
    'address',
    () => Corpus.texts('codec/vectors/bech32', 'address'),
    (text) => {
      Address.parse(text)
      Address.parseBytes(text)
    },
  ),
  ofText(
    'id',
    () => Corpus.texts('codec/vectors/ids', 'string', /^ID$/),
    (text) => sameText(text, Id.format(Id.parse(text))),
  ),
  ofText(
    'short id',
    () => Corpus.texts('codec/vectors/ids', 'string', /ShortID/),
    (text) => sameText(text, ShortId.format(ShortId.parse(text))),
  ),
  ofText(
    'node id',
    () => Corpus.texts('codec/vectors/ids', 'nodeID'),
    (text) => sameText(text, NodeId.format(NodeId.parse(text))),
  ),
  ofText(
    'json',
    () => samples().map((value) => Json.stringify(everything.toJSON(value))),
    (text) => {
      Json.stringify(Json.parse(text))
    },
  ),
  ofBytes(
    'codec',
    () => samples().map((value) => everything.encode(value)),
    (input) => roundTrip(input, everything.encode(everything.decode(input))),
  ),
  ofText(
    'codec, from json',
    () => samples().map((value) => Json.stringify(everything.toJSON(value))),
    (text) => {
      everything.encode(everything.fromJSON(Json.parse(text)))
    },
  ),
]

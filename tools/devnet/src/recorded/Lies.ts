import { Bytes, Id } from '@firn/codec'
import type { ChainAnswers, ChainRequestKind, ChainRequests } from '@firn/p2p'
import type { Fault } from '../Fault.ts'
import { ANSWERS, type View } from './Answers.ts'
import * as RecordedChain from './RecordedChain.ts'

/** Size in bytes of the containers of an answer above a node's limits. The message still fits into a frame. */
const ABOVE_LIMITS = 2_000_000
/** Number of ids in an answer of zeros. */
const MANY_IDS = 50_000
const ID_SIZE = 32

/** What a faulty validator knows and uses to answer. */
export interface Liar {
  readonly fault: Fault | null
  /** The chain as an honest validator knows it. */
  readonly view: View
  /** Returns the chain with other blocks from a height on. */
  readonly fork: (chain: RecordedChain.RecordedChain, from: number) => RecordedChain.RecordedChain
  readonly random: (length: number) => Uint8Array
}

/** Returns the answer of a validator with a fault. Faults that only concern the delivery leave it correct. */
export function answer<K extends ChainRequestKind>(
  kind: K,
  request: ChainRequests[K],
  liar: Liar,
): ChainAnswers[K] | undefined {
  const view = viewOf(liar)
  const correct = ANSWERS[kind](view, request)
  const alter = liar.fault === null ? undefined : ALTERATIONS[liar.fault.kind]?.[kind]
  if (alter === undefined || correct === undefined) return correct
  return (alter as Alteration<K>)(correct, { request, view, random: liar.random })
}

/** Returns the chain as the validator claims to know it. */
function viewOf({ fault, view, fork }: Liar): View {
  const { chain, height } = view
  switch (fault?.kind) {
    case 'withheld':
      return { ...view, height: Math.max(0, height - fault.blocks) }
    case 'state-synced':
      return { ...view, floor: Math.max(0, height - fault.blocks + 1) }
    case 'fork':
      return { ...view, chain: fork(chain, Math.max(1, height - fault.blocks + 1)) }
    default:
      return view
  }
}

interface Context<K extends ChainRequestKind> {
  readonly request: ChainRequests[K]
  readonly view: View
  readonly random: (length: number) => Uint8Array
}

type Alteration<K extends ChainRequestKind> = (
  correct: ChainAnswers[K],
  context: Context<K>,
) => ChainAnswers[K]

type Alterations = { readonly [K in ChainRequestKind]?: Alteration<K> }

const NONE = new Uint8Array()

/** Answers whose ids and containers come from `make`, which gets a size in bytes. */
const filled = (
  make: (size: number) => Uint8Array,
  idSize: number,
  ids: number,
  containerSize: number,
): Alterations => ({
  acceptedFrontier: () => ({ containerId: make(idSize) }),
  accepted: () => ({ containerIds: Array.from({ length: ids }, () => make(idSize)) }),
  ancestors: () => ({ containers: [make(containerSize)] }),
  pullQuery: () => {
    const id = make(idSize)
    return { preferredId: id, preferredIdAtHeight: id, acceptedId: id, acceptedHeight: 0n }
  },
})

const ALTERATIONS: { readonly [Kind in Fault['kind']]?: Alterations } = {
  empty: {
    ...filled(() => NONE, 0, 0, 0),
    ancestors: () => ({ containers: [] }),
  },
  garbage: {
    acceptedFrontier: (_, { random }) => ({ containerId: random(ID_SIZE - 1) }),
    accepted: (_, { random }) => ({ containerIds: [random(ID_SIZE), random(ID_SIZE - 1)] }),
    ancestors: (_, { random }) => ({ containers: [random(1), NONE, random(1_000)] }),
    pullQuery: (correct, { random }) => ({ ...correct, preferredId: random(ID_SIZE - 1), acceptedId: NONE }),
  },
  zeros: filled((size) => new Uint8Array(size), ID_SIZE, MANY_IDS, ABOVE_LIMITS),
  'other-containers': {
    ancestors(_, { request, view }) {
      const { blocks } = view.chain
      const others = blocks
        .slice(0, view.height + 1)
        .filter(({ id }) => !Bytes.equals(id, request.containerId))
      return { containers: others.slice(-100).map(({ bytes }) => bytes) }
    },
  },
  'wrong-order': {
    ancestors: ({ containers }) => ({ containers: containers.toReversed() }),
  },
  'other-signature': {
    ancestors: ({ containers }) => ({ containers: containers.map(RecordedChain.withOtherSignature) }),
  },
  unsigned: {
    ancestors: ({ containers }) => ({ containers: containers.map(RecordedChain.withoutSignature) }),
  },
  gaps: {
    ancestors: ({ containers }) => ({ containers: containers.filter((_, position) => position % 3 !== 2) }),
  },
  trickle: {
    ancestors: ({ containers }) => ({ containers: containers.slice(0, 1) }),
  },
  'above-limits': {
    acceptedFrontier: ({ containerId }) => ({ containerId: Bytes.concat(containerId, containerId) }),
    accepted: ({ containerIds }) => ({ containerIds: [...containerIds, ...containerIds] }),
    ancestors: ({ containers }) => ({ containers: repeated(containers) }),
  },
  'false-frontier': {
    acceptedFrontier: ({ containerId }) => ({ containerId: madeUp(containerId) }),
    accepted: (_, { request }) => ({ containerIds: request.containerIds }),
    pullQuery: ({ acceptedId, acceptedHeight, ...rest }) => ({
      ...rest,
      acceptedId: madeUp(acceptedId),
      preferredId: madeUp(acceptedId),
      acceptedHeight: acceptedHeight + 1n,
    }),
  },
  'false-accepted': {
    accepted: ({ containerIds }, { request }) => ({
      containerIds: request.containerIds.filter(
        (id) => !containerIds.some((other) => Bytes.equals(id, other)),
      ),
    }),
  },
}

/** Returns an id that no container has, the same one for all validators. */
function madeUp(id: Uint8Array): Uint8Array {
  return Id.hash(id)
}

/** Repeats containers until they exceed a node's limits. */
function repeated(containers: readonly Uint8Array[]): readonly Uint8Array[] {
  const size = containers.reduce((sum, { length }) => sum + length, 0)
  if (size === 0) return containers
  const times = Math.max(1, Math.floor(ABOVE_LIMITS / size))
  return Array.from({ length: times }, () => containers).flat()
}

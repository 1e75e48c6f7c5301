import {
  type ChainAnswers,
  type ChainReply,
  type ChainRequestKind,
  type ChainRequests,
  MAX_CONTAINERS,
} from '../ChainRequests.ts'
import * as Frame from '../Frame.ts'
import * as Message from '../Message.ts'
import { P2pError } from '../P2pError.ts'
import { keyOf } from './keyOf.ts'
import type { Outgoing, Readers } from './OutboundRequests.ts'
import { assertId, assertRequest, ID_LENGTH, type NextId, wireDeadline } from './request.ts'

/** The messages of the chain requests and their answers, in both directions. */

interface RequestCases {
  acceptedFrontier: 'getAcceptedFrontier'
  accepted: 'getAccepted'
  ancestors: 'getAncestors'
  pullQuery: 'pullQuery'
}

interface AnswerCases {
  acceptedFrontier: 'acceptedFrontier'
  accepted: 'accepted'
  ancestors: 'ancestors'
  pullQuery: 'chits'
}

type Value<Case extends Message.Case> = Extract<Message.Body, { case: Case }>['value']

/** The fields of a request besides the chain and the deadline. */
type Fields<Kind extends ChainRequestKind> = Omit<ChainRequests[Kind], 'chainId' | 'deadlineMs'>

interface Spec<Kind extends ChainRequestKind> {
  readonly request: RequestCases[Kind]
  readonly answer: AnswerCases[Kind]
  /** Throws `P2P_ARGUMENT`. */
  readonly encodeRequest: (request: Fields<Kind>) => Partial<Value<RequestCases[Kind]>>
  /** Throws `P2P_MESSAGE`. */
  readonly decodeRequest: (value: Value<RequestCases[Kind]>) => Fields<Kind>
  readonly encodeAnswer: (answer: ChainAnswers[Kind]) => Partial<Value<AnswerCases[Kind]>>
  /** Throws `P2P_MESSAGE`. */
  readonly decodeAnswer: (value: Value<AnswerCases[Kind]>, request: ChainRequests[Kind]) => ChainAnswers[Kind]
}

const ENGINE_DAG = 1
const ENGINE_CHAIN = 2

const specs: { readonly [Kind in ChainRequestKind]: Spec<Kind> } = {
  acceptedFrontier: {
    request: 'getAcceptedFrontier',
    answer: 'acceptedFrontier',
    encodeRequest: () => ({}),
    decodeRequest: () => ({}),
    encodeAnswer: ({ containerId }) => ({ containerId }),
    decodeAnswer: ({ containerId }) => ({ containerId: readId(containerId, 'containerId') }),
  },
  accepted: {
    request: 'getAccepted',
    answer: 'accepted',
    encodeRequest: ({ containerIds }) => {
      assertCount(containerIds.length)
      return { containerIds: containerIds.map((id) => checked(id)) }
    },
    decodeRequest: ({ containerIds }) => ({ containerIds: readIds(containerIds) }),
    encodeAnswer: ({ containerIds }) => ({ containerIds: [...containerIds] }),
    decodeAnswer: ({ containerIds }, request) => ({
      containerIds: readSubset(containerIds, request.containerIds),
    }),
  },
  ancestors: {
    request: 'getAncestors',
    answer: 'ancestors',
    encodeRequest: ({ containerId, engine }) => ({
      containerId: checked(containerId),
      engineType: engine === 'dag' ? ENGINE_DAG : ENGINE_CHAIN,
    }),
    decodeRequest: ({ containerId, engineType }) => ({
      containerId: readId(containerId, 'containerId'),
      engine: engineType === ENGINE_DAG ? 'dag' : 'chain',
    }),
    encodeAnswer: ({ containers }) => ({ containers: [...containers] }),
    decodeAnswer: ({ containers }) => ({ containers: readContainers(containers) }),
  },
  pullQuery: {
    request: 'pullQuery',
    answer: 'chits',
    encodeRequest: ({ containerId, requestedHeight }) => ({
      containerId: checked(containerId),
      requestedHeight: checkedHeight(requestedHeight),
    }),
    decodeRequest: ({ containerId, requestedHeight }) => ({
      containerId: readId(containerId, 'containerId'),
      requestedHeight,
    }),
    encodeAnswer: (answer) => ({ ...answer }),
    decodeAnswer: ({ preferredId, preferredIdAtHeight, acceptedId, acceptedHeight }) => ({
      preferredId: readId(preferredId, 'preferredId'),
      preferredIdAtHeight: readId(preferredIdAtHeight, 'preferredIdAtHeight'),
      acceptedId: readId(acceptedId, 'acceptedId'),
      acceptedHeight,
    }),
  },
}

const kinds = new Map<Message.Case, ChainRequestKind>(
  Object.entries(specs).map(([kind, { request }]) => [request, kind as ChainRequestKind]),
)

/** Returns the chain request that messages of this kind make, or undefined if they make none. */
export function requestKind(messageCase: Message.Case): ChainRequestKind | undefined {
  return kinds.get(messageCase)
}

/** A message with a chain request. */
export type RequestBody = Extract<Message.Body, { case: RequestCases[ChainRequestKind] }>

/** Returns whether a message makes a chain request. */
export function isRequest(body: Message.Body): body is RequestBody {
  return kinds.has(body.case)
}

/**
 * Returns the content of a request, without the chain and the deadline.
 * @throws P2pError `P2P_MESSAGE`
 */
export function readRequest<Kind extends ChainRequestKind>(kind: Kind, body: RequestBody): Fields<Kind> {
  return specs[kind].decodeRequest(body.value as Value<RequestCases[Kind]>)
}

/** Returns the message with the answer to a request. The answer is not checked. */
export function answerBody<Kind extends ChainRequestKind>(
  kind: Kind,
  { chainId, requestId }: { readonly chainId: Uint8Array; readonly requestId: number },
  answer: ChainAnswers[Kind],
): Message.BodyInit {
  const spec = specs[kind]
  return {
    case: spec.answer,
    value: { chainId, requestId, ...spec.encodeAnswer(answer) },
  } as Message.BodyInit
}

/** Encodes chain requests as frames. */
export type ChainEncoder = <Kind extends ChainRequestKind>(
  kind: Kind,
  request: ChainRequests[Kind],
) => Outgoing<ChainReply<Kind>>

/** Creates an encoder. Like nodes, it does not compress requests. */
export function createChainEncoder(nextId: NextId): ChainEncoder {
  return (kind, request) => {
    assertRequest(request)
    const spec = specs[kind]
    const envelope = { chainId: request.chainId.slice(), deadline: wireDeadline(request.deadlineMs) }
    const fields = { ...envelope, ...spec.encodeRequest(request) }
    const encode = (): Outgoing<ChainReply<typeof kind>> => {
      const requestId = nextId()
      const body = { case: spec.request, value: { ...fields, requestId } } as Message.BodyInit
      return {
        requestId,
        chainId: envelope.chainId,
        frame: Frame.encode(Message.encode(body)),
        readers: answerReaders(kind, request),
        renew: encode,
      }
    }
    return encode()
  }
}

function answerReaders<Kind extends ChainRequestKind>(
  kind: Kind,
  request: ChainRequests[Kind],
): Readers<ChainReply<Kind>> {
  const spec = specs[kind]
  const reader = (value: Value<AnswerCases[Kind]>): ChainReply<Kind> => {
    try {
      return { kind: 'answer', answer: spec.decodeAnswer(value, request) }
    } catch (error) {
      if (!(error instanceof P2pError)) throw error
      return { kind: 'malformed', reason: error.message }
    }
  }
  return { [spec.answer]: reader }
}

function checked(id: Uint8Array): Uint8Array {
  assertId(id, 'request: expected a container id')
  return id
}

function checkedHeight(height: bigint): bigint {
  if (height >= 0n && height < 1n << 64n) return height
  throw new P2pError('P2P_ARGUMENT', `request: expected a height of 0 to 2^64-1, got ${height}`)
}

function assertCount(count: number): void {
  if (count <= MAX_CONTAINERS) return
  throw new P2pError(
    'P2P_ARGUMENT',
    `request: expected at most ${MAX_CONTAINERS} container ids, got ${count}`,
  )
}

function readId(id: Uint8Array, name: string): Uint8Array {
  if (id.length === ID_LENGTH) return id.slice()
  throw malformed(`${name} has ${id.length} bytes instead of ${ID_LENGTH}`)
}

function readIds(ids: readonly Uint8Array[]): Uint8Array[] {
  return ids.map((id, index) => readId(id, `containerIds[${index}]`))
}

function readSubset(ids: readonly Uint8Array[], requested: readonly Uint8Array[]): Uint8Array[] {
  const open = new Set(requested.map(keyOf))
  const found = readIds(ids)
  for (const [index, id] of found.entries())
    if (!open.delete(keyOf(id))) throw malformed(`containerIds[${index}] was not requested or is repeated`)
  return found
}

function readContainers(containers: readonly Uint8Array[]): Uint8Array[] {
  if (containers.length > MAX_CONTAINERS)
    throw malformed(`the answer has ${containers.length} containers, more than ${MAX_CONTAINERS}`)
  return containers.map((container) => container.slice())
}

function malformed(what: string): P2pError {
  return new P2pError('P2P_MESSAGE', `malformed message: ${what}`)
}

import { Hex, Id, NodeId } from '@firn/codec'
import type { Logger } from '@firn/runtime'
import type { ValidatorSet } from '@firn/warp'
import { Counter, type Registry } from 'prom-client'
import { AggregatorError } from '../errors/AggregatorError.ts'
import type { PChain, Subnet } from './PChain.ts'

/** One of the P-chain APIs that are compared. */
export interface NamedApi {
  /** Host and port, for errors and logs. */
  readonly name: string
  readonly pChain: PChain
}

/** Options of {@link createAgreement}. */
export interface AgreementDependencies {
  /** All APIs as one, for data that is not compared. */
  readonly any: PChain
  readonly apis: readonly NamedApi[]
  /** Number of APIs that must return the same data. */
  readonly agree: number
  readonly register: Registry
  readonly log: Logger
}

/**
 * Returns a P-chain whose validator sets, subnets of chains, and L1 conversions are used only if several APIs return
 * the same data. Heights are those that at least as many APIs have reached. All APIs are asked at once, and the first
 * agreement is returned. An API that does not know an item yet contradicts nobody. States of L1 validations are not
 * returned.
 *
 * The queries throw `AGGREGATOR_UPSTREAM_DISAGREE` if the APIs contradict each other and too few agree, and
 * `AGGREGATOR_UPSTREAM` if too few return the data.
 */
export function createAgreement({ any, apis, agree, register, log }: AgreementDependencies): PChain {
  const disagreements = new Counter({
    name: 'signature_aggregator_upstream_disagreements_total',
    help: 'Number of comparisons in which P-chain APIs contradicted each other, by subject',
    labelNames: ['subject'],
    registers: [register],
  })
  const onContradiction = (subject: string, description: string) => {
    disagreements.inc({ subject })
    log.warn({ subject, description }, 'the P-chain APIs contradict each other')
  }
  const compare = <T>(question: Question<T>) => ask(question, apis, agree, onContradiction)
  return {
    ...any,
    height: createHeight('height', apis, agree),
    proposedHeight: createHeight('proposedHeight', apis, agree),
    validatorsAt: (subnetId, height, signal) =>
      compare({
        subject: 'validators',
        title: `the validators of subnet ${Id.format(subnetId)} at P-chain height ${height}`,
        get: (pChain) => pChain.validatorsAt(subnetId, height, signal),
        facts: factsOfValidators,
      }),
    subnetOf: (chainId, signal) =>
      compare({
        subject: 'chain',
        title: `the subnet of chain ${Id.format(chainId)}`,
        get: (pChain) => pChain.subnetOf(chainId, signal),
        facts: (subnetId) => new Map([['the subnet', Id.format(subnetId)]]),
      }),
    subnet: (subnetId, signal) =>
      compare({
        subject: 'subnet',
        title: `the state of subnet ${Id.format(subnetId)}`,
        get: (pChain) => pChain.subnet(subnetId, signal),
        facts: factsOfSubnet,
      }),
    // APIs at different heights return different states, and one API must not be enough to refuse a message.
    l1Validator: async () => undefined,
  }
}

/** Data by the name of its parts. APIs agree on an item if they return equal facts about it. */
type Facts = ReadonlyMap<string, string>

/** An item that the APIs are asked for. */
interface Question<T> {
  readonly subject: 'validators' | 'chain' | 'subnet'
  /** Description of the item, for errors. */
  readonly title: string
  /** Returns the item, or undefined if the API does not know it. */
  readonly get: (pChain: PChain) => Promise<T | undefined>
  readonly facts: (item: T) => Facts
}

function factsOfValidators(nodes: readonly ValidatorSet.Node[]): Facts {
  const describe = ({ publicKey, weight }: ValidatorSet.Node) =>
    `weight ${weight}, ${publicKey === null ? 'no key' : `key ${Hex.encode(publicKey)}`}`
  return new Map(nodes.map((node) => [NodeId.format(node.nodeId), describe(node)]))
}

function factsOfSubnet({ conversionId, isL1 }: Subnet): Facts {
  return new Map([['the conversion to an L1', isL1 ? Id.format(conversionId) : 'none']])
}

/** The response of one API: the item with its facts, or the reason why there is none. */
type Reply<T> =
  | { readonly name: string; readonly item: T; readonly facts: Facts; readonly key: string }
  | { readonly name: string; readonly key?: undefined; readonly problem: string; readonly isUnknown: boolean }
type Answer<T> = Extract<Reply<T>, { readonly key: string }>

async function request<T>({ get, facts }: Question<T>, { name, pChain }: NamedApi): Promise<Reply<T>> {
  try {
    const item = await get(pChain)
    if (item === undefined) return { name, problem: 'does not know it', isUnknown: true }
    const found = facts(item)
    return { name, item, facts: found, key: [...found].sort().join('\n') }
  } catch (error) {
    return { name, problem: `failed (${(error as Error).message})`, isUnknown: false }
  }
}

/** Resolves with the first item that `agree` APIs return alike, while the remaining responses are still compared. */
function ask<T>(
  question: Question<T>,
  apis: readonly NamedApi[],
  agree: number,
  onContradiction: (subject: string, description: string) => void,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const replies: Reply<T>[] = []
    const accept = (reply: Reply<T>) => {
      replies.push(reply)
      const groups = group(replies)
      const agreed = groups.find((answers) => answers.length >= agree)?.[0]
      if (agreed !== undefined) resolve(agreed.item)
      if (replies.length < apis.length) return
      const description = groups.length > 1 ? differences(groups) : undefined
      if (description !== undefined) onContradiction(question.subject, `${question.title}: ${description}`)
      const unknown = replies.filter((one) => one.key === undefined && one.isUnknown)
      if (groups.length === 0 && unknown.length >= agree) resolve(undefined)
      // Has no effect if the promise is already resolved.
      reject(failure(question, replies, agree, description))
    }
    for (const api of apis) void request(question, api).then(accept)
  })
}

/** Returns the answers in groups of equal facts. */
function group<T>(replies: readonly Reply<T>[]): readonly (readonly Answer<T>[])[] {
  const answers = replies.filter((reply): reply is Answer<T> => reply.key !== undefined)
  return [...Map.groupBy(answers, ({ key }) => key).values()]
}

const MAX_DIFFERENCES = 3

/** Describes in which facts the groups differ, and which APIs returned each version. */
function differences(groups: readonly (readonly Answer<unknown>[])[]): string {
  const versions = groups.flatMap(([first, ...rest]) =>
    first === undefined
      ? []
      : { facts: first.facts, names: [first, ...rest].map(({ name }) => name).join(' and ') },
  )
  const titles = [...new Set(versions.flatMap(({ facts }) => [...facts.keys()]))].sort()
  const differing = titles.filter((title) => new Set(versions.map(({ facts }) => facts.get(title))).size > 1)
  const shown = differing.slice(0, MAX_DIFFERENCES).map((title) => {
    const texts = versions.map(({ facts, names }) => `${facts.get(title) ?? 'missing'} at ${names}`)
    return `${title} is ${texts.join(', but ')}`
  })
  const more = differing.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more differences`] : [])].join('; ')
}

function failure<T>(
  { subject, title }: Question<T>,
  replies: readonly Reply<T>[],
  agree: number,
  description: string | undefined,
): AggregatorError {
  const others = replies.flatMap((reply) => (reply.key === undefined ? `${reply.name} ${reply.problem}` : []))
  if (description !== undefined) {
    return new AggregatorError(
      'AGGREGATOR_UPSTREAM_DISAGREE',
      `fewer than ${agree} P-chain APIs agree on ${title}: ${[description, ...others].join('; ')}`,
      { details: { subject } },
    )
  }
  const count = replies.length - others.length
  return new AggregatorError(
    'AGGREGATOR_UPSTREAM',
    `${count} of the ${agree} P-chain APIs that must agree returned ${title}: ${others.join('; ')}`,
    { details: { subject } },
  )
}

/**
 * Returns a function that returns the highest height that at least `agree` APIs have reached. It does not wait for slow
 * APIs if the known heights suffice to reach the last result.
 */
function createHeight(
  kind: 'height' | 'proposedHeight',
  apis: readonly NamedApi[],
  agree: number,
): PChain['height'] {
  let last = 0n
  return (signal) =>
    new Promise((resolve, reject) => {
      const heights: bigint[] = []
      const problems: string[] = []
      const check = () => {
        const reached = heights.toSorted((one, other) => (one > other ? -1 : 1))[agree - 1]
        const isComplete = heights.length + problems.length === apis.length
        if (reached !== undefined && (reached >= last || isComplete)) {
          if (reached > last) last = reached
          resolve(reached)
        } else if (isComplete) {
          const text = `${heights.length} of the ${agree} P-chain APIs that must agree returned a height: ${problems.join('; ')}`
          reject(new AggregatorError('AGGREGATOR_UPSTREAM', text))
        }
      }
      for (const { name, pChain } of apis) {
        pChain[kind](signal)
          .then(
            (height) => void heights.push(height),
            (error: Error) => void problems.push(`${name} failed (${error.message})`),
          )
          .then(check)
      }
    })
}

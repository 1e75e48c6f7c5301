import type { Transport } from '@firn/aggregation'
import { HandlerPrefix, type PeerAnswer } from '@firn/p2p'
import { Counter, type Registry } from 'prom-client'
import type { PeerNetwork } from './PeerNetwork.ts'
import type { RecentlyLost } from './RecentlyLost.ts'

/** Options of {@link createTransport}. */
export interface TransportDependencies {
  readonly network: PeerNetwork
  /** Nodes that aggregations wait for, because their connections are probably back soon. */
  readonly recentlyLost: Pick<RecentlyLost, 'has'>
  readonly register: Registry
}

/**
 * Creates the transport that sends signature requests to the validators and counts them. It adds the handler
 * prefix to each request.
 */
export function createTransport({ network, recentlyLost, register }: TransportDependencies): Transport {
  const registers = [register]
  countEvents({ network, register })
  const requests = new Counter({
    name: 'signature_aggregator_app_request_count',
    help: 'Number of signature requests sent to validators',
    registers,
  })
  const answers = new Counter({
    name: 'signature_aggregator_app_answers_total',
    help: 'Number of signature requests by outcome: response, error, timeout, unsent, disconnected',
    labelNames: ['kind'],
    registers,
  })
  /**
   * The same body is sent to many nodes, so it is prefixed only once, and the network encodes the result only
   * once.
   */
  const prefixed = new WeakMap<Uint8Array, Uint8Array>()
  const withPrefix = (body: Uint8Array): Uint8Array => {
    const known = prefixed.get(body) ?? HandlerPrefix.prepend(HandlerPrefix.SIGNATURE_REQUEST, body)
    prefixed.set(body, known)
    return known
  }
  return {
    request: async (nodeId, { chainId, bytes, deadlineMs, onSent, onLateResponse }, signal) => {
      const request = {
        chainId,
        bytes: withPrefix(bytes),
        deadlineMs,
        onSent: () => {
          requests.inc()
          onSent()
        },
        onLateAnswer: (late: PeerAnswer) => {
          if (late.kind === 'response') onLateResponse(late.bytes)
        },
      }
      const answer = await network.request(nodeId, request, signal)
      answers.inc({ kind: answer.kind })
      return answer
    },
    connection: (nodeId) => {
      const { state, reason = 'no address is known' } = network.connection(nodeId)
      return state === 'connected'
        ? { connected: true }
        : { connected: false, reason, pending: state === 'connecting' || recentlyLost.has(nodeId) }
    },
  }
}

function countEvents({ network, register }: Pick<TransportDependencies, 'network' | 'register'>): void {
  new Counter({
    name: 'signature_aggregator_p2p_events_total',
    help: 'Number of events on the connections to validators',
    labelNames: ['event'],
    registers: [register],
    collect() {
      this.reset()
      for (const [event, count] of Object.entries(network.counters)) this.inc({ event }, count)
    },
  })
}

import type { Transport } from '@firn/aggregation'
import { HandlerPrefix } from '@firn/p2p'
import { Counter, type Registry } from 'prom-client'
import type { PeerNetwork } from './PeerNetwork.ts'

/** Options of {@link createTransport}. */
export interface TransportDependencies {
  readonly network: PeerNetwork
  readonly register: Registry
}

/**
 * Returns the transport to the validators for an aggregator: signature requests with their handler prefix,
 * counted.
 */
export function createTransport({ network, register }: TransportDependencies): Transport {
  const registers = [register]
  countEvents({ network, register })
  const requests = new Counter({
    name: 'signature_aggregator_app_request_count',
    help: 'Signature requests sent to validators',
    registers,
  })
  const answers = new Counter({
    name: 'signature_aggregator_app_answers_total',
    help: 'Outcomes of the signature requests: response, error, timeout, disconnected',
    labelNames: ['kind'],
    registers,
  })
  /** The same body goes to many nodes; one prefixed copy lets the network encode it once too. */
  const prefixed = new WeakMap<Uint8Array, Uint8Array>()
  const withPrefix = (body: Uint8Array): Uint8Array => {
    const known = prefixed.get(body) ?? HandlerPrefix.prepend(HandlerPrefix.SIGNATURE_REQUEST, body)
    prefixed.set(body, known)
    return known
  }
  return {
    request: async (nodeId, { chainId, bytes, deadlineMs }, signal) => {
      requests.inc()
      const answer = await network.request(nodeId, { chainId, bytes: withPrefix(bytes), deadlineMs }, signal)
      answers.inc({ kind: answer.kind })
      return answer
    },
    connection: (nodeId) => {
      const { state, reason = 'no address known' } = network.connection(nodeId)
      return state === 'connected'
        ? { connected: true }
        : { connected: false, reason, pending: state === 'connecting' }
    },
  }
}

function countEvents({ network, register }: TransportDependencies): void {
  new Counter({
    name: 'signature_aggregator_p2p_events_total',
    help: 'Events on the connections to validators',
    labelNames: ['event'],
    registers: [register],
    collect() {
      this.reset()
      for (const [event, count] of Object.entries(network.counters)) this.inc({ event }, count)
    },
  })
}

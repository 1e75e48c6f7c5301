import type { Report } from '@firn/aggregation'
import { Id, NodeId } from '@firn/codec'
import { Counter, type Registry } from 'prom-client'

/** Maximum number of pairs of labels, because each of them is kept forever. Further validators share one label. */
const MAX_LABELS = 200
const OTHER = { nodeID: 'other', subnetID: 'other' }

/**
 * Creates the metric of wrong signatures by validator, and returns a function that adds the validators that sent one
 * in a report. A validator is named by the first of its nodes.
 */
export function createWrongSignatures(register: Registry): (report: Report, subnetId: Uint8Array) => void {
  const counter = new Counter({
    name: 'signature_aggregator_wrong_signatures_total',
    help: `Number of requests for which a validator sent no valid signature but a wrong one, by validator; nodeID="${OTHER.nodeID}" after ${MAX_LABELS} validators`,
    labelNames: ['nodeID', 'subnetID'],
    registers: [register],
  })
  const known = new Set<string>()
  return ({ validators }, subnetId) => {
    for (const { outcome, nodeIds, reportedBy } of validators) {
      const [nodeId] = nodeIds
      // What another aggregator reports cannot be verified, and that aggregator counts it itself.
      if (outcome !== 'bad-signature' || nodeId === undefined || reportedBy !== undefined) continue
      const labels = { nodeID: NodeId.format(nodeId), subnetID: Id.format(subnetId) }
      const name = `${labels.nodeID} ${labels.subnetID}`
      if (known.size < MAX_LABELS) known.add(name)
      counter.inc(known.has(name) ? labels : OTHER)
    }
  }
}

import type { Attributes, Tracer } from '@firn/runtime'
import { expect, it } from 'vitest'
import type { Behaviour } from './testing/Behaviour.ts'
import * as Simulation from './testing/Simulation.ts'

interface Recorded {
  readonly name: string
  readonly parent: number | undefined
  attributes: Attributes
  failure?: string | undefined
  isEnded: boolean
}

/** Returns a tracer that keeps its spans in order. The parent is the span whose `run` calls `start` at once. */
function createRecorder() {
  const spans: Recorded[] = []
  let current: number | undefined
  const tracer: Tracer = {
    start(name, attributes) {
      const index = spans.length
      const span: Recorded = { name, parent: current, attributes: attributes?.() ?? {}, isEnded: false }
      spans.push(span)
      return {
        headers: { traceparent: String(index) },
        run(work) {
          const before = current
          current = index
          try {
            return work()
          } finally {
            current = before
          }
        },
        end(more, failure) {
          if (span.isEnded) return
          Object.assign(span, { attributes: { ...span.attributes, ...more }, failure, isEnded: true })
        },
      }
    },
  }
  return { spans, tracer }
}

const simulate = (behaviours: readonly Behaviour[]) => {
  const { spans, tracer } = createRecorder()
  const validators = behaviours.map((one) => ({ weight: 1n, behaviours: [one] }))
  return { spans, simulation: Simulation.create({ validators, aggregator: { tracer } }) }
}

const HONEST: Behaviour = { kind: 'honest' }
const SILENT: Behaviour = { kind: 'silent' }

it('records one span for each request to a validator, below the span of the run', async () => {
  const { spans, simulation } = simulate([HONEST, HONEST, HONEST, SILENT])
  await simulation.run({ quorumPercentage: 67, bufferPercentage: 0, slackPercentage: 100 })
  // The transport gives up the last request after the end of the run.
  await simulation.clock.run(simulation.clock.sleep(30_000))
  const [run, ...requests] = spans
  expect(run).toMatchObject({
    name: 'collect signatures',
    parent: undefined,
    failure: undefined,
    attributes: { 'firn.validators': 4, 'firn.signatures': 3, 'firn.requests': 4 },
  })
  expect(requests.map(({ name, parent }) => [name, parent])).toEqual(Array(4).fill(['request signature', 0]))
  expect(requests.map(({ attributes }) => attributes['firn.outcome']).sort()).toEqual([
    'abandoned',
    'response',
    'response',
    'response',
  ])
  expect(spans.every(({ isEnded, failure }) => isEnded && failure === undefined)).toBe(true)
  expect(requests.every(({ attributes }) => /^NodeID-/.test(String(attributes['avalanche.node_id'])))).toBe(
    true,
  )
})

it('records the failures of validators, and the code of a missed quorum', async () => {
  const { spans, simulation } = simulate([HONEST, SILENT, SILENT, SILENT])
  await expect(simulation.run({ deadlineMs: 3_000 })).rejects.toThrow('quorum not reached')
  expect(spans[0]).toMatchObject({ isEnded: true, failure: 'AGGREGATION_QUORUM_NOT_REACHED' })
  const outcomes = spans.slice(1).map(({ attributes, failure }) => [attributes['firn.outcome'], failure])
  expect(outcomes).toContainEqual(['response', undefined])
  expect(outcomes).toContainEqual(['timeout', 'timeout'])
})

it('records that a request waits for an equal one, and that its caller gave up', async () => {
  const { spans, simulation } = simulate([SILENT, SILENT])
  const controller = new AbortController()
  const failed = [1, 2].map(() => simulation.run({ signal: controller.signal }).catch(({ code }) => code))
  controller.abort()
  expect(await Promise.all(failed)).toEqual(['AGGREGATION_ABORTED', 'AGGREGATION_ABORTED'])
  const waiting = spans.find(({ name }) => name === 'wait for an equal request')
  expect(waiting).toMatchObject({ attributes: { traceparent: '0' }, failure: 'AGGREGATION_ABORTED' })
  expect(spans[0]).toMatchObject({ name: 'collect signatures', failure: 'AGGREGATION_ABORTED' })
})

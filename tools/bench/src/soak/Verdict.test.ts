import { describe, expect, it } from 'vitest'
import * as Faults from './Faults.ts'
import * as Samples from './Samples.ts'
import * as Verdict from './Verdict.ts'

const MINUTE = 60_000

/** Returns samples of two hours, one per minute, whose heap grows by `growth` per hour between collections of garbage. */
const samples = (growth: number): readonly Samples.Sample[] =>
  Array.from({ length: 120 }, (_, minute) => ({
    at: minute * MINUTE,
    values: {
      'heap MiB': 50 + (growth * minute) / 60 + 20 * (minute % 5),
      'RSS MiB': 200,
      'open files': 30,
      handles: 20,
      'loop delay ms': 12,
    },
  }))

const record = (changes: Partial<Verdict.Record> = {}): Verdict.Record => ({
  begin: 0,
  end: 120 * MINUTE,
  injected: [],
  tallies: new Map([
    ['node', { calm: [1, 2], faulty: [], explained: new Map([['503', 3]]), unexplained: new Map() }],
  ]),
  samples: new Map([['node 1', samples(2)]]),
  disk: [{ at: 0, database: 10, files: 1 }],
  failures: [],
  ...changes,
})

describe('judge', () => {
  it('finds no problem in slow growth and explained failures', () => {
    expect(Verdict.judge(record()).problems).toEqual([])
  })

  it('reports a heap that grows faster than its limit', () => {
    const { problems } = Verdict.judge(record({ samples: new Map([['node 1', samples(40)]]) }))
    expect(problems).toEqual([expect.stringMatching(/^heap MiB of node 1 grows by 4\d\.\d per hour/)])
  })

  it('does not judge growth in a short run', () => {
    const short = { end: 10 * MINUTE, samples: new Map([['node 1', samples(40).slice(0, 11)]]) }
    expect(Verdict.judge(record(short)).problems).toEqual([])
  })

  it('reports a process that was never measured', () => {
    expect(Verdict.judge(record({ samples: new Map([['node 1', []]]) })).problems).not.toEqual([])
  })

  it('reports failed requests and processes that no fault explains', () => {
    const tally = { calm: [], faulty: [], explained: new Map(), unexplained: new Map([['500 for /', 2]]) }
    const { problems } = Verdict.judge(
      record({ tallies: new Map([['evm', tally]]), failures: ['node 2 ended'] }),
    )
    expect(problems).toEqual(['node 2 ended', '2 × evm: 500 for /'])
  })
})

describe('parse', () => {
  it('reads metrics with any prefix and with labels', () => {
    const text = 'avalanche_process_open_fds 21\nnodejs_heap_size_used_bytes{a="b"} 1048576\n'
    expect(Samples.parse(5, text)).toMatchObject({ at: 5, values: { 'open files': 21, 'heap MiB': 1 } })
  })
})

describe('during', () => {
  it('returns the faults that last within the time of a request', () => {
    const fault = Faults.FAULTS[0] as Faults.Fault
    const past = { fault, from: 0, until: 10 }
    const lasting = { fault, from: 50_000, until: Number.POSITIVE_INFINITY }
    expect(Faults.during([past, lasting], 40_000, 60_000)).toEqual([lasting])
    expect(Faults.during([past, lasting], 40_000, 49_000)).toEqual([])
  })
})

import { expect, test } from 'vitest'
import * as V8Profiles from './V8Profiles.ts'

const frame = (functionName: string) => ({
  functionName,
  scriptId: '1',
  url: 'file:///a.ts',
  lineNumber: 0,
  columnNumber: 0,
})
const node = (id: number, name: string, children: number[] = []) => ({
  id,
  callFrame: frame(name),
  children,
})

const stacksOf = (measured: ReturnType<typeof V8Profiles.cpuSamples>) =>
  measured.map(({ stack, values }) => [stack.map(({ functionName }) => functionName).join(' < '), values])

test('returns the samples and nanoseconds of a CPU profile by stack, innermost frame first, without idle time', () => {
  const nodes = [
    node(1, '(root)', [2, 3, 5]),
    node(2, '(idle)'),
    node(3, 'outer', [4]),
    node(4, 'inner'),
    node(5, '(garbage collector)'),
  ]
  const profile = {
    nodes,
    startTime: 0,
    endTime: 100,
    samples: [4, 2, 4, 3, 5, 1],
    timeDeltas: [7, 50, 3, 2, 1, 9],
  }
  expect(stacksOf(V8Profiles.cpuSamples(profile))).toEqual([
    ['outer', [1, 2_000]],
    ['inner < outer', [2, 10_000]],
    ['(garbage collector)', [1, 1_000]],
  ])
})

test('ignores negative time differences', () => {
  const nodes = [node(1, '(root)', [2]), node(2, 'work')]
  const profile = { nodes, startTime: 0, endTime: 1, samples: [2, 2], timeDeltas: [-5, 3] }
  expect(stacksOf(V8Profiles.cpuSamples(profile))).toEqual([['work', [2, 3_000]]])
  expect(V8Profiles.cpuSamples({ nodes, startTime: 0, endTime: 1 })).toEqual([])
})

test('returns the live objects of a heap profile by the allocating stack', () => {
  const heapNode = (id: number, name: string, selfSize: number, children: V8Profiles.HeapNode[] = []) => ({
    id,
    callFrame: frame(name),
    selfSize,
    children,
  })
  const head = heapNode(1, '(root)', 5, [
    heapNode(2, 'outer', 0, [heapNode(3, 'inner', 300), heapNode(4, 'unsampled', 40)]),
  ])
  const samples = [3, 3, 1].map((nodeId) => ({ nodeId }))
  expect(stacksOf(V8Profiles.heapSamples({ head, samples }))).toEqual([
    ['unsampled < outer', [1, 40]],
    ['inner < outer', [2, 300]],
  ])
})

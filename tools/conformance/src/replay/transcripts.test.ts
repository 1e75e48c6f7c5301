import { describe, expect, it } from 'vitest'
import { MOST_NAMED, UPSTREAM } from './masks.ts'
import { TRANSCRIPTS } from './transcripts.ts'

describe.each(TRANSCRIPTS.map((it) => [it.stages[0]?.files[0], it] as const))(
  'transcripts of %s',
  (_, plan) => {
    const files = plan.stages.flatMap((stage) => stage.files)

    it('contains each transcript file exactly once', () => {
      expect(new Set([...files, ...plan.leftOut]).size).toBe(files.length + plan.leftOut.length)
    })

    it('lists at most 60 exceptions, each once, with a reason, and for an existing transcript', () => {
      const { masks, named } = plan.exceptions
      expect(named.length).toBeLessThanOrEqual(MOST_NAMED)
      for (const { file } of named) expect(files.map((name) => `${name}.jsonl`)).toContain(file)
      expect(new Set(named.map(({ file, line }) => `${file}:${line}`)).size).toBe(named.length)
      const keys = masks.map(({ method, path, form, port }) => [method, path, form, port].join(' '))
      expect(new Set(keys).size).toBe(masks.length)
      for (const { reason } of [...masks, ...named]) expect(reason.length).toBeGreaterThan(4)
    })

    it('names a transcript file of the same stage in each plugin entry', () => {
      for (const stage of plan.stages) {
        for (const { file } of stage.plugins ?? []) expect(stage.files).toContain(file)
      }
    })

    it('contains a NodeID for every recorded node', () => {
      for (const { nodeId } of Object.values(plan.nodes)) expect(nodeId).toMatch(/^NodeID-/)
    })
  },
)

it('lists no file in two sets of transcripts', () => {
  const names = TRANSCRIPTS.flatMap(({ stages }) => stages.flatMap(({ files }) => files))
  expect(new Set(names).size).toBe(names.length)
})

it('gives a reason for each kind of request that needs the upstream', () => {
  for (const { reason } of UPSTREAM) expect(reason).not.toBe('')
})

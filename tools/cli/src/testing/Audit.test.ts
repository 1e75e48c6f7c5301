import { describe, expect, it } from 'vitest'
import * as Audit from './Audit.ts'

const commit = (fence: bigint, holder: string, connection: string): Audit.AuditedCommit => ({
  fence,
  holder,
  connection,
})

describe('Audit.faults', () => {
  it('reports no findings if another writer takes over', () => {
    const commits = [commit(1n, 'a', '1'), commit(1n, 'a', '2'), commit(2n, 'b', '3'), commit(4n, 'a', '2')]
    expect(Audit.faults(commits)).toEqual([])
  })

  it.each([
    ['a decreasing fence', [commit(2n, 'b', '1'), commit(1n, 'a', '2')], /fence 1 after/],
    ['a fence used by two holders', [commit(1n, 'a', '1'), commit(1n, 'b', '2')], /both a and b/],
    ['a commit by a process without the lease', [commit(1n, 'a', '1'), commit(2n, 'b', '1')], /by a while b/],
  ])('reports a finding for %s', (_name, commits, words) => {
    expect(Audit.faults(commits)).toEqual([expect.stringMatching(words)])
  })
})

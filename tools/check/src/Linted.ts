import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import type { Installed } from './Consumer.ts'
import type { Violation } from './Rule.ts'

/**
 * Results that are intended: packages are ES modules, and their types need a resolution that knows `exports`. Such
 * packages cannot be resolved by `moduleResolution: node10`, and CommonJS loads them by `require` only in Node 20.19 or
 * later.
 */
const INTENDED = ['node10', 'node16-cjs']

const publintMessages = async (tarball: Uint8Array): Promise<readonly string[]> => {
  const { messages, pkg } = await publint({
    pack: { tarball: Uint8Array.from(tarball).buffer },
    strict: true,
  })
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`)
}

const attwMessages = async (tarball: Uint8Array, hasTypes: boolean): Promise<readonly string[]> => {
  const result = await checkPackage(createPackageFromTarballData(Uint8Array.from(tarball)))
  if (result.types === false) return hasTypes ? ['attw: the tarball has no types'] : []
  return result.problems
    .filter((problem) => !('resolutionKind' in problem && INTENDED.includes(problem.resolutionKind)))
    .map((problem) => `attw: ${JSON.stringify(problem)}`)
}

/** Returns what publint and attw ("Are the types wrong?") report about a tarball. */
export const problems = async ({ owner, manifest, tarball }: Installed): Promise<readonly Violation[]> => {
  const bytes = readFileSync(tarball)
  const messages = [
    ...(await publintMessages(bytes)),
    ...(await attwMessages(bytes, manifest.exports !== undefined)),
  ]
  return messages.map((message) => ({ where: `${owner.folder}/package.json`, message }))
}

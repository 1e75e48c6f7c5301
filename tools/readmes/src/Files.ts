import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import * as Fences from './Fences.ts'

const GUIDES = 'docs/pages/guides'
const TUTORIALS = 'docs/pages/tutorials'
const FOLDERS = ['packages', 'services', 'tools', 'examples']

const pages = (root: string, folder: string): string[] =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder))
        .sort()
        .map((name) => `${folder}/${name}`)
    : []

/**
 * Returns the READMEs of a checkout and the Markdown files that they link to, as paths relative to the root.
 * The root's README comes first.
 */
export function find(root: string): string[] {
  const own = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder))
      .sort()
      .map((name) => `${folder}/${name}/README.md`),
  )
  const files = new Set<string>()
  const add = (file: string) => {
    if (files.has(file) || file.startsWith('..') || !existsSync(join(root, file))) return
    files.add(file)
    const linked = Fences.links(readFileSync(join(root, file), 'utf8'))
    for (const path of linked) add(normalize(join(dirname(file), path)))
  }
  add('README.md')
  add('docs/README.md')
  for (const file of pages(root, GUIDES)) add(file)
  for (const file of own) add(file)
  return [...files].sort((a, b) => Number(b === 'README.md') - Number(a === 'README.md'))
}

/** Returns the tutorials of a checkout, as paths relative to the root. */
export const tutorials = (root: string): string[] => pages(root, TUTORIALS)

/** Returns whether a file is a tutorial, whose blocks belong together. */
export const isTutorial = (file: string): boolean => file.startsWith(`${TUTORIALS}/`)

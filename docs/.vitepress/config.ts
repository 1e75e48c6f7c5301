import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type MarkdownEnv, type MarkdownRenderer } from 'vitepress'
import { anchorOf } from '../src/Markdown.ts'

const sidebar = JSON.parse(
  readFileSync(fileURLToPath(new URL('../.firn/sidebar.json', import.meta.url)), 'utf8'),
)

/**
 * Renders what the search finds. Of the modules of packages it finds names and sentences, without signatures, tables and
 * examples, which would make the index several times as large.
 */
const renderForSearch = (text: string, env: MarkdownEnv, md: MarkdownRenderer): string => {
  const isModule = /^reference\/packages\/[^/]+\/(?!index)/.test(env.relativePath ?? '')
  const short = text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/^([>|]|#{4,6} ).*\n/gm, '')
  // The index needs the words of code, not its colours.
  const { highlight } = md.options
  md.options.highlight = null
  try {
    return md.render(isModule ? short : text, env)
  } finally {
    md.options.highlight = highlight
  }
}

export default defineConfig({
  title: 'Firn',
  description: 'Off-chain software for the Avalanche network, in TypeScript.',
  lang: 'en',
  srcDir: '.firn/pages',
  outDir: 'build',
  cacheDir: '.firn/cache',
  lastUpdated: false,
  metaChunk: true,
  // The index of the search is large, and is loaded when the search is opened.
  vite: { build: { chunkSizeWarningLimit: 4_096 } },
  markdown: { anchor: { slugify: anchorOf } },
  head: [['meta', { name: 'theme-color', content: '#2f6feb' }]],
  themeConfig: {
    nav: [
      { text: 'Tutorials', link: '/tutorials/', activeMatch: '^/tutorials/' },
      { text: 'Guides', link: '/start', activeMatch: '^/(start|guides)' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { detailedView: false, _render: renderForSearch } },
    docFooter: { prev: 'Previous', next: 'Next' },
    footer: { message: 'MIT licence' },
  },
})

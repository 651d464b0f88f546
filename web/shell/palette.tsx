import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icons.tsx'
import { words } from '../words/index.ts'
import { commandsFor } from './commands.ts'

const isOpen = signal(false)

export const openPalette = (): void => {
  isOpen.value = true
}

export const Palette = () => (isOpen.value ? <OpenPalette /> : null)

function OpenPalette() {
  const [text, setText] = useState('')
  const [position, setPosition] = useState(0)
  const w = words()
  const close = () => {
    isOpen.value = false
  }
  const commands = commandsFor(text)
  const active = commands[Math.min(position, commands.length - 1)]
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setPosition((position + step + commands.length) % Math.max(1, commands.length))
    } else if (event.key === 'Enter' && active) {
      event.preventDefault()
      close()
      active.run()
    }
  }
  return (
    <Dialog title={w.palette} class="palette" onClose={close}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={active && `palette-${active.id}`}
        aria-label={w.search}
        placeholder={w.search}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setPosition(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label={w.palette}>
        {commands.map((command) => (
          <div
            key={command.id}
            id={`palette-${command.id}`}
            role="option"
            aria-selected={command === active}
            onClick={() => {
              close()
              command.run()
            }}
          >
            <Icon name={command.icon} />
            <span>{command.title}</span>
            {command.keys && <kbd>{command.keys}</kbd>}
          </div>
        ))}
      </div>
      {commands.length === 0 && <p class="muted palette-none">{w.nothingFound}</p>}
    </Dialog>
  )
}

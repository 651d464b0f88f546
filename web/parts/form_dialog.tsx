import { Dialog, type DialogProps } from './dialog.tsx'
import { Form, type FormProps } from './form.tsx'

type FormDialogProps = Pick<DialogProps, 'title' | 'onClose'> & Omit<FormProps, 'onCancel'>

/** A form in a dialog, which closes when it was sent. A CallError is shown in it: it covers messages. */
export const FormDialog = ({ title, onClose, onSubmit, ...more }: FormDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <Form
      {...more}
      onCancel={onClose}
      onSubmit={async (values) => {
        await onSubmit(values)
        onClose()
      }}
    />
  </Dialog>
)

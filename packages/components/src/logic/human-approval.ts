import { ComponentError, type CroftComponent, type Services } from '../services.ts';
import { message, toText } from '../values.ts';

const OPTIONS = ['approve', 'reject'];

/** Waits for a person, and passes the value on to one of two branches. A durable run may wait for days. */
export const humanApproval: CroftComponent = {
  descriptor: {
    type: 'HumanApproval',
    label: 'Human approval',
    description: 'Waits until a person approves or rejects a value.',
    category: 'logic',
    icon: 'user-check',
    keywords: ['human in the loop', 'review', 'confirm', 'wait'],
    aliases: ['HumanInTheLoop'],
    effects: ['wait'],
    fields: [
      {
        name: 'value',
        label: 'Value',
        kind: 'handle',
        accepts: ['Message', 'Data', 'Table', 'File', 'Any'],
        required: true,
      },
      { name: 'question', label: 'Question', kind: 'multiline', accepts: ['Message'], default: 'Approve this value?' },
    ],
    outputs: [
      { name: 'approved', label: 'Approved', types: ['Message', 'Data', 'Table', 'File', 'Any'], branch: true },
      { name: 'rejected', label: 'Rejected', types: ['Message', 'Data', 'Table', 'File', 'Any'], branch: true },
      { name: 'comment', label: 'Comment', types: ['Message'] },
    ],
  },
  async run({ inputs, nodeId, stepKey, services }) {
    const ask = requireAsk(services);
    const text = toText(inputs['question'] ?? '');
    const { choice, comment } = await ask({
      key: stepKey,
      node: nodeId,
      text,
      options: OPTIONS,
      context: inputs['value'],
    });
    return { [choice === 'approve' ? 'approved' : 'rejected']: inputs['value'], comment: message(comment) };
  },
};

function requireAsk({ ask }: Services): NonNullable<Services['ask']> {
  if (ask) return ask;
  throw new ComponentError(
    'This run has no person to ask.',
    'Press Run on the page of the flow, on a server: the page shows the question.',
  );
}

import { FlowHead } from '../flows/flow-head.tsx';
import { WithFlow } from '../flows/with-flow.tsx';
import { ChatPage } from './chat-page.tsx';
import { FormPage } from './form-page.tsx';

/** The playground of a flow: start reading here. A flow with a chat input is a chat; another has a form. */
export function PlaygroundPage() {
  return (
    <WithFlow>
      {(open) => {
        const { flow, document } = open;
        const isChat = document.nodes.some(({ type }) => type === 'ChatInput');
        return (
          <div className="flex min-h-[calc(100dvh-7.5rem)] flex-col md:h-dvh md:min-h-0">
            <FlowHead id={flow.id} name={flow.name} />
            {isChat ? <ChatPage open={open} /> : <FormPage open={open} />}
          </div>
        );
      }}
    </WithFlow>
  );
}

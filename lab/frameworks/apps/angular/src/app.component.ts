import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from "@angular/core";
import type { DropzoneEventMap } from "@stowage/element";
import "@stowage/element";

@Component({
  selector: "app-root",
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <main>
      <h1>Send files</h1>
      <form action="/submitted" method="post">
        <stowage-dropzone
          endpoint="/api/stowage"
          name="attachment"
          [maxFiles]="3"
          [validate]="validate"
          (stowage-list)="onList($event)"
          (stowage-uploaded)="onUploaded($event)"
          (stowage-failed)="onFailed($event)"
        />
        <p>{{ percent() }} %</p>
        @if (problem()) {
          <p role="alert">{{ problem() }}</p>
        }
        <ul>
          @for (path of uploaded(); track path) {
            <li>{{ path }}</li>
          }
        </ul>
        <button>Send</button>
      </form>
    </main>
  `,
})
export class App {
  readonly percent = signal(0);
  readonly uploaded = signal<string[]>([]);
  readonly problem = signal("");

  readonly validate = (file: File) => (file.name.startsWith("draft") ? "Drafts cannot be sent." : null);

  onList({ detail }: DropzoneEventMap["stowage-list"]): void {
    this.percent.set(Math.round(detail.totals.progress * 100));
  }

  onUploaded({ detail }: DropzoneEventMap["stowage-uploaded"]): void {
    this.uploaded.update((paths) => [...paths, detail.file.file_path]);
  }

  onFailed({ detail }: DropzoneEventMap["stowage-failed"]): void {
    this.problem.set(detail.failure.message);
  }
}

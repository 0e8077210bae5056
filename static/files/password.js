// Adds a button to each password field that shows or hides what is typed.
for (const input of document.querySelectorAll("input[data-show]")) {
  const button = document.createElement("button");
  const draw = () => {
    const hidden = input.type === "password";
    button.textContent = hidden ? input.dataset.show : input.dataset.hide;
  };
  button.type = "button";
  button.className = "reveal";
  button.setAttribute("aria-controls", input.id);
  button.addEventListener("click", () => {
    input.type = input.type === "password" ? "text" : "password";
    draw();
  });
  // A shown password must not end up among the browser's remembered texts.
  input.form.addEventListener("submit", () => { input.type = "password"; });
  draw();
  input.parentElement.append(button);
}

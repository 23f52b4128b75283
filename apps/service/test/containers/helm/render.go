// Renders a Helm chart as `helm template` does, with the packages that Helm uses: text/template, sprig, sigs.k8s.io/yaml and
// gojsonschema. It has the functions that our chart uses, and no others of Helm's, so a template with another one is refused.
//
//	render CHART RELEASE < values.yaml
//
// Prints the objects of Kubernetes as a JSON array. Exits with 1 and one message for values that the chart refuses.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/xeipuuv/gojsonschema"
	"sigs.k8s.io/yaml"
)

var separator = regexp.MustCompile(`(?m)^---$`)

type object = map[string]interface{}

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(chart, release string) error {
	values, metadata, given := object{}, object{}, object{}
	if err := readYaml(filepath.Join(chart, "values.yaml"), &values); err != nil {
		return err
	}
	if err := readYaml(filepath.Join(chart, "Chart.yaml"), &metadata); err != nil {
		return err
	}
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	if err := yaml.Unmarshal(input, &given); err != nil {
		return err
	}
	merge(values, given)
	if _, ok := values["global"]; !ok {
		values["global"] = object{}
	}
	if err := validate(filepath.Join(chart, "values.schema.json"), values); err != nil {
		return err
	}
	rendered, err := render(chart, object{
		"Values": values,
		"Chart": object{
			"Name": metadata["name"], "Version": metadata["version"], "AppVersion": metadata["appVersion"],
		},
		"Release": object{"Name": release, "Namespace": "default", "Service": "Helm"},
	})
	if err != nil {
		return err
	}
	manifests := []json.RawMessage{}
	for _, text := range rendered {
		for _, document := range separator.Split(text, -1) {
			// Strict: a property that is twice in an object is an error.
			manifest, err := yaml.YAMLToJSONStrict([]byte(document))
			if err != nil {
				return fmt.Errorf("%w in:\n%s", err, document)
			}
			if string(manifest) != "null" {
				manifests = append(manifests, manifest)
			}
		}
	}
	return json.NewEncoder(os.Stdout).Encode(manifests)
}

func readYaml(path string, into interface{}) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return yaml.Unmarshal(text, into)
}

// merge puts the given values over the chart's. Maps are merged. A null removes a value of the chart.
func merge(values, given object) {
	for name, value := range given {
		own, isMap := values[name].(object)
		child, givesMap := value.(object)
		_, isKnown := values[name]
		switch {
		case isMap && givesMap:
			merge(own, child)
		case value == nil && isKnown:
			delete(values, name)
		default:
			values[name] = value
		}
	}
}

func validate(path string, values object) error {
	schema, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	result, err := gojsonschema.Validate(gojsonschema.NewBytesLoader(schema), gojsonschema.NewGoLoader(values))
	if err != nil {
		return err
	}
	if result.Valid() {
		return nil
	}
	messages := []string{"values don't meet the specifications of the schema:"}
	for _, problem := range result.Errors() {
		messages = append(messages, "- "+problem.String())
	}
	return errors.New(strings.Join(messages, "\n"))
}

func render(chart string, root object) ([]string, error) {
	all := template.New("gotpl").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	// Helm removes these two, so that a chart cannot read the environment.
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	functions["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		if err != nil {
			return ""
		}
		return strings.TrimSuffix(string(text), "\n")
	}
	all.Funcs(functions)
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if _, err := all.New(filepath.Base(path)).Parse(string(text)); err != nil {
			return nil, err
		}
	}
	rendered := []string{}
	for _, path := range paths {
		name := filepath.Base(path)
		// Helm executes no partials.
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text strings.Builder
		if err := all.ExecuteTemplate(&text, name, root); err != nil {
			return nil, err
		}
		rendered = append(rendered, strings.ReplaceAll(text.String(), "<no value>", ""))
	}
	return rendered, nil
}
